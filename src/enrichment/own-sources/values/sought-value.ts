import type { SearchKind } from '../../../documents/schema/field-types.ts';
import { canonicalAddress } from '../../../identity/networks.ts';
import type { SourceSelector } from '../../sources/source-client.ts';

/** A field in which values are searched for. */
export interface SearchedField {
  readonly path: string;
  readonly kind: SearchKind;
}

/** A value with the places in which documents may hold it. */
export interface SoughtValue {
  readonly selector: Pick<SourceSelector, 'type' | 'value'>;
  /** Terms to search for, by field, as `comparable` returns them. */
  readonly places: ReadonlyMap<string, readonly string[]>;
  /** Ways in which a string may spell the value. */
  readonly spellings: readonly string[];
}

/** Types of which the case of letters says nothing. */
const WITHOUT_CASE: ReadonlySet<string> = new Set(
  'domain hostname email_address md5 sha1 sha256 tenant-id cve attack_id'.split(' '),
);

/** Returns undefined for a value that no document can hold. @param fields those of its type */
export function soughtValue(
  selector: SoughtValue['selector'],
  fields: readonly SearchedField[],
): SoughtValue | undefined {
  const { type, value } = selector;
  if (value === '' || value.includes('\0') || !value.isWellFormed()) return undefined;
  const address = type === 'ipv4' || type === 'ipv6' ? canonicalAddress(value) : undefined;
  const spellings = [...new Set([...spellingsOf(type, value), address ?? value])];
  const byKind = new Map<SearchKind, readonly string[]>();
  const places = new Map<string, readonly string[]>();
  for (const { path, kind } of fields) {
    const terms = byKind.get(kind) ?? termsIn(kind, spellings);
    byKind.set(kind, terms);
    if (terms.length > 0) places.set(path, terms);
  }
  return places.size === 0 ? undefined : { selector, places, spellings };
}

/** Returns a value of a field as the index compares it; undefined when the index cannot hold it. */
export function comparable(kind: SearchKind, value: unknown): string | undefined {
  const text = String(value);
  switch (kind) {
    case 'ip':
      return canonicalAddress(text);
    case 'lowercase_keyword':
      return text.toLowerCase();
    case 'integer':
    case 'long':
      return /^\d{1,9}$/.test(text) ? String(Number(text)) : undefined;
    default:
      return text;
  }
}

function termsIn(kind: SearchKind, spellings: readonly string[]): readonly string[] {
  const terms = spellings.map((text) => comparable(kind, text)).filter((text) => text !== undefined);
  return [...new Set(terms)];
}

/** Returns the Lucene query for values by field; empty when there are none. */
export function luceneQuery(terms: ReadonlyMap<string, Iterable<string>>): string {
  return [...terms].map(([path, values]) => `${path}:(${[...values].map(quoted).join(' OR ')})`).join(' OR ');
}

/** Returns what all values together are searched for, by field. */
export function combinedPlaces(sought: Iterable<SoughtValue>): ReadonlyMap<string, ReadonlySet<string>> {
  const combined = new Map<string, Set<string>>();
  for (const { places } of sought) {
    for (const [path, terms] of places) {
      const known = combined.get(path);
      if (known === undefined) combined.set(path, new Set(terms));
      else for (const term of terms) known.add(term);
    }
  }
  return combined;
}

export interface QueryLimits {
  readonly terms: number;
  readonly characters: number;
}

/** Divides values into parts that one query can ask for. A part has at least one value. */
export function* queryParts(sought: readonly SoughtValue[], limits: QueryLimits): Generator<readonly SoughtValue[]> {
  let part: SoughtValue[] = [];
  let size = NOTHING_ASKED;
  let paths = new Set<string>();
  for (const one of sought) {
    let added = querySize(one, paths);
    const isTooLarge =
      size.terms + added.terms > limits.terms || size.characters + added.characters > limits.characters;
    if (isTooLarge && part.length > 0) {
      yield part;
      part = [];
      size = NOTHING_ASKED;
      paths = new Set();
      added = querySize(one, paths);
    }
    part.push(one);
    for (const path of one.places.keys()) paths.add(path);
    size = { terms: size.terms + added.terms, characters: size.characters + added.characters };
  }
  if (part.length > 0) yield part;
}

const NOTHING_ASKED: QueryLimits = { terms: 0, characters: 0 };

/** Returns by how much a value lengthens a query. @param known paths that the query has already */
export function querySize({ places }: SoughtValue, known: ReadonlySet<string> = new Set()): QueryLimits {
  // Fields of one kind share their list of terms.
  const lengths = new Map<readonly string[], number>();
  let terms = 0;
  let characters = 0;
  for (const [path, values] of places) {
    terms += values.length;
    if (!known.has(path)) characters += path.length + 8;
    const length = lengths.get(values) ?? values.reduce((sum, value) => sum + quoted(value).length + 4, 0);
    lengths.set(values, length);
    characters += length;
  }
  return { terms, characters };
}

/** Returns the spellings in which a string field may hold a value. */
function spellingsOf(type: string, value: string): readonly string[] {
  if (!WITHOUT_CASE.has(type)) return [value];
  return [...new Set([value, value.toLowerCase(), value.toUpperCase()])];
}

const SPECIAL = /[\\"]/;

function quoted(value: string): string {
  return SPECIAL.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : `"${value}"`;
}
