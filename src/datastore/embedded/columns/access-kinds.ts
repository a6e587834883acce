import { ACCESS_FIELDS } from '../../../documents/schema/field-types.ts';
import type { IndexedValue, QueryNode } from '../../port/query-tree.ts';
import { matchesIndexed } from '../../query-language/matches.ts';

/** Values of the hidden access fields of a document, by path. */
export type AccessValues = Map<string, IndexedValue[]>;

const ACCESS_PATHS: ReadonlySet<string> = new Set(ACCESS_FIELDS);
/** Column with the number of the access kind of a document, which every document has. */
const COLUMN = 'access_kind';
/** Queries whose access kinds are kept. */
const MAX_KNOWN_QUERIES = 100;
/** Admitted kinds that are listed, which is faster than a list of the others. */
const MAX_LISTED = 100;
const NO_TOKENS = new Map();

interface Admitted {
  /** The number of access kinds that were looked at. */
  known: number;
  readonly admitted: number[];
  readonly rejected: number[];
}

/**
 * Numbers the combinations of values that the hidden access fields of documents have.
 * Every search filters by these fields, and a million documents share a few combinations: a column of their numbers
 * is filtered in 2 ms, the three lists of the values themselves in 190 ms. It only grows, as `ValueGrams` do.
 */
export class AccessKinds {
  readonly #numbers = new Map<string, number>();
  readonly #values: AccessValues[] = [];
  readonly #queries = new Map<string, Admitted>();
  #unsaved: [number: number, text: string][] = [];

  /** Kinds added since the last `markSaved`. */
  get unsaved(): readonly (readonly [number: number, text: string])[] {
    return this.#unsaved;
  }

  /** Returns the number of an access kind; numbers count from 1. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#values.length + 1;
    this.restore(number, text);
    this.#unsaved.push([number, text]);
    return number;
  }

  /** Takes a saved kind back. */
  restore(number: number, text: string): void {
    this.#numbers.set(text, number);
    this.#values[number - 1] = new Map(JSON.parse(text) as [string, IndexedValue[]][]);
  }

  markSaved(): void {
    this.#unsaved = [];
  }

  /**
   * Returns the condition for documents whose access fields match a query of access fields.
   * Documents of kinds that come later never match.
   */
  condition(query: QueryNode): string {
    const { known, admitted, rejected } = this.#admitted(query);
    if (admitted.length === 0) return 'false';
    if (rejected.length === 0) return `${COLUMN} <= ${known}`;
    if (admitted.length <= Math.max(rejected.length, MAX_LISTED)) return `${COLUMN} IN (${admitted.join(', ')})`;
    return `(${COLUMN} <= ${known} AND ${COLUMN} NOT IN (${rejected.join(', ')}))`;
  }

  #admitted(query: QueryNode): Admitted {
    const text = JSON.stringify(query, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    const found = this.#queries.get(text) ?? { known: 0, admitted: [], rejected: [] };
    for (; found.known < this.#values.length; found.known += 1) {
      const document = { values: this.#values[found.known] ?? new Map(), tokens: NO_TOKENS };
      (matchesIndexed(query, document) ? found.admitted : found.rejected).push(found.known + 1);
    }
    if (this.#queries.size >= MAX_KNOWN_QUERIES) this.#queries.clear();
    this.#queries.set(text, found);
    return found;
  }
}

/** Returns the text of an access kind, the same for the same values in any order. */
export function accessText(values: AccessValues): string {
  const sorted = [...values].map(([path, list]) => [path, [...new Set(list)].sort()] as const);
  return JSON.stringify(
    sorted.sort(([left], [right]) => (left < right ? -1 : 1)),
    (_, value) => (typeof value === 'bigint' ? Number(value) : value),
  );
}

export function isAccessField(path: string): boolean {
  return ACCESS_PATHS.has(path);
}

/** Returns whether a query reads access fields and nothing else. */
export function readsAccessAlone(node: QueryNode): boolean {
  if (node.kind === 'boolean') {
    const children = [...node.must, ...node.should, ...node.mustNot].filter(
      ({ kind }) => kind !== 'all' && kind !== 'none',
    );
    return children.length > 0 && children.every(readsAccessAlone);
  }
  return 'field' in node && isAccessField(node.field);
}
