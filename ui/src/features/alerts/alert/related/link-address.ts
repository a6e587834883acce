import { flatten } from '../../../../design/data/structure/flatten.ts';
import type { Alert } from '../../triage/alert.ts';
import { recordOf, valuesOf } from '../fields/record-fields.ts';

/** A link of a dossier: its address with placeholders, and where their values come from. */
export interface LinkTemplate {
  readonly text: string;
  readonly mappings?: readonly LinkMapping[] | undefined;
}

interface LinkMapping {
  readonly key: string;
  readonly field: string;
  readonly custom_value?: string | undefined;
}

/** A filled address, or why there is none. */
export type LinkAddress =
  | { readonly kind: 'link'; readonly href: string }
  /** It does not begin with a scheme and a host of its own. */
  | { readonly kind: 'no_host' }
  /** The alert has no value for a placeholder. */
  | { readonly kind: 'no_value'; readonly name: string }
  /** It has other parts of the template language, which are not for addresses. */
  | { readonly kind: 'other_syntax' };

/** The field of a mapping whose value is written in the mapping itself. */
export const CUSTOM_FIELD = 'custom';
const PLACEHOLDER = /\{\{\{?\s*([\w.-]+)\s*\}?\}\}/g;
/** The host stands in the dossier: values of an alert must not choose where a link leads. */
const WITH_HOST = /^https?:\/\/[^\s/{}]+(?:\/|\?|#|$)/i;

/** Returns the first value of each field of an alert. */
export function linkValues(alert: Alert): ReadonlyMap<string, string | undefined> {
  return new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, valuesOf(field)[0]]));
}

/** Fills the placeholders of an address with encoded values. */
export function linkAddress(
  { text, mappings = [] }: LinkTemplate,
  values: ReadonlyMap<string, string | undefined>,
): LinkAddress {
  if (!WITH_HOST.test(text)) return { kind: 'no_host' };
  const given = new Map(
    mappings.map(({ key, field, custom_value: custom }) => [key, field === CUSTOM_FIELD ? custom : values.get(field)]),
  );
  const valueFor = (name: string) => given.get(name) ?? values.get(name) ?? '';
  const missing = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => valueFor(name) === '');
  if (missing !== undefined) return { kind: 'no_value', name: missing };
  const href = text.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(valueFor(name).toWellFormed()));
  return /[{}]/.test(href) ? { kind: 'other_syntax' } : { kind: 'link', href };
}
