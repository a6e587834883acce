import type { FoundEntry } from './compiled/compiled-list.ts';
import type { FoundBy } from './compiled/selector-keys.ts';
import type { ListSettings } from './list-entry.ts';

/** Explains how an entry was found. */
const FOUND: Readonly<Record<FoundBy, string>> = {
  value: 'the value itself',
  network: 'a network that it is in',
  parent_domain: 'a domain that it is below',
  host: 'the host of the URL',
  mail_domain: 'the domain of the address',
  pattern: 'a pattern that it fits',
};

interface ItemContext {
  readonly list: ListSettings;
  readonly classification: string;
  /** Time at which the list was last known to be up to date, in milliseconds since 1970. */
  readonly freshAt: number;
  readonly noAnnotation: boolean;
  readonly includeRaw: boolean;
}

/** Returns what the source answers of one entry. */
export function itemOf({ by, details }: FoundEntry, context: ItemContext): Record<string, unknown> {
  const { list, classification, noAnnotation, includeRaw } = context;
  const { marking, validFrom, validUntil, ...others } = details;
  const raw = {
    ...{ list: list.name, found_by: by, updated: iso(context.freshAt) },
    ...others,
    ...(validFrom === undefined ? {} : { valid_from: iso(validFrom) }),
    ...(validUntil === undefined ? {} : { valid_until: iso(validUntil) }),
  };
  return {
    classification,
    count: 1,
    ...(details.link === undefined ? {} : { link: details.link }),
    annotations: noAnnotation ? [] : annotationsOf({ by, details }, context),
    ...(includeRaw ? { raw_data: raw } : {}),
  };
}

function annotationsOf({ by, details }: FoundEntry, { list, freshAt }: ItemContext): readonly object[] {
  const { author, confidence, link, summary, tags, killChain, validUntil } = details;
  const ubiquitous = details.ubiquitous === true;
  // Values on a list of known and harmless values are benign, unless the list says otherwise.
  const opinion = details.opinion ?? list.opinion ?? (ubiquitous ? 'benign' : undefined);
  const common = {
    ...(author === undefined ? { analytic: `list ${list.name}` } : { author }),
    timestamp: iso(freshAt),
    confidence: confidence ?? list.confidence,
    ubiquitous,
    ...(link === undefined ? {} : { link }),
  };
  const until = validUntil === undefined ? '' : ` It is valid until ${iso(validUntil)}.`;
  const found = `The list ${list.name}, as of ${iso(freshAt)}, has ${FOUND[by]}.${until}`;
  const context = (value: string, said: string) => ({ ...common, type: 'context', value, summary: said });
  return [
    opinion === undefined
      ? { ...context(list.name, summary ?? found), details: found }
      : { ...common, type: 'opinion', value: opinion, summary: summary ?? found, details: found },
    ...(tags === undefined ? [] : [context(tags.join(', '), `Tags of the list ${list.name}: ${tags.join(', ')}.`)]),
    ...(killChain === undefined ? [] : [context(killChain.join(', '), `Kill chain phases: ${killChain.join(', ')}.`)]),
  ];
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
