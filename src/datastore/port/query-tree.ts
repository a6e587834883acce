/** A query as adapters get it: parsed, resolved and typed; `query-language/` makes it from a string. */

/**
 * Indexed form: keyword and text → string (lower-cased where the field is); integer, float, date
 * (milliseconds) → number; long → bigint; boolean → boolean; ip → 32 lower-case hex digits of the 16-byte form.
 */
export type IndexedValue = string | number | bigint | boolean;

export interface Bound {
  readonly value: IndexedValue;
  readonly inclusive: boolean;
}

export interface BooleanNode {
  readonly kind: 'boolean';
  readonly must: readonly QueryNode[];
  /** At least one has to match when `must` is empty and `should` is not; otherwise they do not decide. */
  readonly should: readonly QueryNode[];
  /** With nothing else in the node: everything but these. */
  readonly mustNot: readonly QueryNode[];
  /** Score of a match in a search by relevance. Default `sum`. */
  readonly scoring?: Scoring;
  /** Factor of that score. Default 1. */
  readonly boost?: number;
}

/** `sum`: of all parts that match; `best`: of the best, in a node of `should` alone; `constant`: 1. */
export type Scoring = 'sum' | 'best' | 'constant';

/** Terms of the index that a fuzzy clause stands for at most: the most similar ones. */
export const MAX_FUZZY_EXPANSIONS = 50;

export type QueryNode =
  | { readonly kind: 'all' }
  /** `reason` is there only in trees that are shown, not searched. */
  | { readonly kind: 'none'; readonly reason?: string }
  | BooleanNode
  /** The field has an indexed value. `field` may be `__text__`. */
  | { readonly kind: 'exists'; readonly field: string }
  /** One indexed value equals; for text: one token equals. */
  | { readonly kind: 'term'; readonly field: string; readonly value: IndexedValue }
  /** One indexed value equals one of these. */
  | { readonly kind: 'terms'; readonly field: string; readonly values: readonly IndexedValue[] }
  /** One indexed value lies inside; for text: one token. A missing bound is open. */
  | { readonly kind: 'range'; readonly field: string; readonly lower?: Bound; readonly upper?: Bound }
  /** Whole value (token) matches; `*` and `?`, with `\` before a literal character. */
  | { readonly kind: 'wildcard'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'prefix'; readonly field: string; readonly value: string }
  /** Whole value (token) matches; Lucene's regular expressions (`Operators` ALL), checked by the parser. */
  | { readonly kind: 'regexp'; readonly field: string; readonly pattern: string }
  /** Optimal-string-alignment distance at most `maxEdits`, over the `MAX_FUZZY_EXPANSIONS` best terms. */
  | { readonly kind: 'fuzzy'; readonly field: string; readonly value: string; readonly maxEdits: 0 | 1 | 2 }
  /**
   * Tokens in order, with at most `slop` moves; values of a list lie 100 positions apart.
   * With `lastIsPrefix`, which takes no `slop`, the last term stands for every token that begins with it.
   */
  | {
      readonly kind: 'phrase';
      readonly field: string;
      readonly terms: readonly string[];
      readonly slop: number;
      readonly lastIsPrefix?: boolean;
    }
  /** The document's identifier is one of these. */
  | { readonly kind: 'ids'; readonly ids: readonly string[] };

export const MATCH_ALL: QueryNode = { kind: 'all' };
export const MATCH_NONE: QueryNode = { kind: 'none' };

/** Every one of the nodes. No node: everything. */
export function allOf(...nodes: readonly QueryNode[]): QueryNode {
  const must = nodes.filter((node) => node.kind !== 'all');
  if (must.length === 0) return MATCH_ALL;
  return must.length === 1 && must[0] ? must[0] : { kind: 'boolean', must, should: [], mustNot: [] };
}

/** At least one of the nodes. No node: nothing. */
export function anyOf(...nodes: readonly QueryNode[]): QueryNode {
  if (nodes.length === 0) return MATCH_NONE;
  return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'boolean', must: [], should: nodes, mustNot: [] };
}

/** At least one of the nodes, scored by the best of those that match. No node: nothing. */
export function bestOf(...nodes: readonly QueryNode[]): QueryNode {
  return nodes.length === 0 ? MATCH_NONE : { kind: 'boolean', must: [], should: nodes, mustNot: [], scoring: 'best' };
}

/** The node, with its score multiplied. */
export function boosted(node: QueryNode, boost: number): QueryNode {
  return { kind: 'boolean', must: [node], should: [], mustNot: [], boost };
}

/** The node, with the same score for every match. */
export function withScore(node: QueryNode, score: number): QueryNode {
  return { kind: 'boolean', must: [node], should: [], mustNot: [], scoring: 'constant', boost: score };
}

export function not(node: QueryNode): QueryNode {
  return { kind: 'boolean', must: [], should: [], mustNot: [node] };
}

/** The field equals the value; for undefined: it has none. */
export function equalsOrMissing(field: string, value: IndexedValue | undefined): QueryNode {
  return value === undefined ? not({ kind: 'exists', field }) : { kind: 'term', field, value };
}

/** The query, with what it looks for in a field looked for in another one of the same type as well. */
export function alsoIn(node: QueryNode, field: string, other: string): QueryNode {
  if (node.kind === 'boolean') {
    const each = (nodes: readonly QueryNode[]) => nodes.map((one) => alsoIn(one, field, other));
    return { ...node, must: each(node.must), should: each(node.should), mustNot: each(node.mustNot) };
  }
  return 'field' in node && node.field === field ? anyOf(node, { ...node, field: other }) : node;
}
