import { flatten } from '../../../../design/data/structure/flatten.ts';
import type { Alert } from '../../triage/alert.ts';
import { recordOf, valuesOf } from '../fields/record-fields.ts';

/** A link that a dossier gives for an alert. */
export interface DossierLink {
  readonly label: { readonly en: string; readonly fr: string };
  readonly href: string;
}

/** The mapping whose value is written in the pivot itself. */
const CUSTOM = 'custom';
const MAX_LINKS = 50;
const PLACEHOLDER = /\{\{\{?\s*([\w.-]+)\s*\}?\}\}/g;
/** The host stands in the dossier: values of an alert must not choose where a link leads. */
const WITH_HOST = /^https?:\/\/[^\s/{}]+(?:\/|\?|#|$)/i;

/** Returns the links of the pivots and leads of dossiers, filled with the values of the alert. */
export function dossierLinks(alert: Alert): readonly DossierLink[] {
  const values = new Map(flatten(recordOf(alert)).fields.map((field) => [field.field, valuesOf(field)[0]]));
  const found = new Map<string, DossierLink>();
  for (const { pivots, leads } of alert.__dossiers ?? []) {
    const links = [
      ...(pivots ?? []).map(({ format, label, value, mappings }) => ({ format, label, text: value, mappings })),
      ...(leads ?? []).map(({ format, label, content }) => ({ format, label, text: content, mappings: [] })),
    ];
    for (const { format, label, text, mappings } of links) {
      if (format !== 'link' || !WITH_HOST.test(text)) continue;
      const given = new Map(
        (mappings ?? []).map(({ key, field, custom_value: custom }) => [
          key,
          field === CUSTOM ? custom : values.get(field),
        ]),
      );
      const href = filled(text, (name) => given.get(name) ?? values.get(name));
      if (href !== undefined) found.set(href, { label, href });
    }
  }
  return [...found.values()].slice(0, MAX_LINKS);
}

/** Fills the places of an address with encoded values; undefined when one has none. */
function filled(text: string, find: (name: string) => string | undefined): string | undefined {
  let isComplete = true;
  const address = text.replace(PLACEHOLDER, (_, name: string) => {
    const value = find(name) ?? '';
    isComplete &&= value !== '';
    return encodeURIComponent(value.toWellFormed());
  });
  // Other parts of the template language are not for addresses.
  return isComplete && !/[{}]/.test(address) ? address : undefined;
}
