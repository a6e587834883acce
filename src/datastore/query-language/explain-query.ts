import { type CollectionDefinition, definedField } from '../../documents/schema/collection-definition.ts';
import { type SearchKind, TEXT_FIELD } from '../../documents/schema/field-types.ts';
import type { BooleanNode, Bound, IndexedValue, QueryNode } from '../port/query-tree.ts';
import { invalidQuery } from '../regular-language/query-limits.ts';
import { queryProblem } from '../regular-language/query-problems.ts';
import { isAnalysed } from './analysis.ts';
import { compileSyntax } from './compile-query.ts';
import { formatAddress } from './ip-address.ts';
import { parseSyntax } from './query-parser.ts';
import type { GroupSyntax } from './syntax-tree.ts';
import { escapedTerm, quotedBound, quotedPhrase, quotedValue } from './written-values.ts';

/** Longest explanation, in UTF-16 units; the rest of a longer one is replaced by an ellipsis. */
export const MAX_EXPLANATION_LENGTH = 10_000;
/** Largest distance of a phrase on whole values, which the public system reads as a fuzzy term. */
const MAX_VALUE_DISTANCE = 2;

type Definition = Pick<CollectionDefinition<unknown>, 'fieldByPath'>;

/**
 * Describes how a query is read, in the notation of Lucene's `Query.toString`: `+` must, `-` must not.
 * Clauses that no document can match are shown as `MatchNoDocsQuery("at position 0: reason")`. The limits are those of
 * `compileQuery`, but values that do not fit their field are described, not refused.
 * @throws InvalidInput `invalid_query` with `at`, the position in the text (UTF-16 units from 0); `query_too_complex`
 */
export function explainQuery<T>(text: string, definition: CollectionDefinition<T>, now: Date = new Date()): string {
  const syntax = parseSyntax(text);
  rejectDistantPhrases(syntax, definition);
  return describe(compileSyntax(syntax, definition, { now, keepUnmatchable: true }), definition);
}

function rejectDistantPhrases({ clauses }: GroupSyntax, definition: Definition): void {
  for (const { node } of clauses) {
    if (node.kind === 'group') rejectDistantPhrases(node, definition);
    if (node.kind !== 'phrase' || node.slop <= MAX_VALUE_DISTANCE || node.field === undefined) continue;
    const field = definedField(definition, node.field);
    if (field === undefined || isAnalysed(field.searchKind)) continue;
    const values = { field: node.field, most: MAX_VALUE_DISTANCE, distance: node.slop };
    throw invalidQuery(queryProblem('distant_phrase', values), node.at);
  }
}

/** Writes a compiled query; what it writes is a query too, except for clauses that match nothing. */
function describe(node: QueryNode, definition: Definition): string {
  let text = '';
  for (const piece of pieces(node, definition)) {
    text += piece;
    if (text.length > MAX_EXPLANATION_LENGTH) return `${shortened(text)} …`;
  }
  return text;
}

/** Returns the beginning of a long string, cut between two characters. */
function shortened(text: string): string {
  return text.slice(0, MAX_EXPLANATION_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}

/** Writes piece by piece, so that the text of a large tree is never built completely. */
function* pieces(node: QueryNode, definition: Definition): Generator<string, void> {
  if (node.kind === 'boolean') yield* clausePieces(node, definition);
  else if (node.kind === 'terms' || node.kind === 'ids') {
    const values = node.kind === 'ids' ? node.ids : node.values;
    const field = node.kind === 'ids' ? '_id' : node.field;
    for (const [index, value] of values.entries()) {
      yield `${index === 0 ? '' : ' '}${written({ kind: 'term', field, value }, definition)}`;
    }
  } else yield written(node, definition);
}

function* clausePieces({ must, should, mustNot }: BooleanNode, definition: Definition): Generator<string, void> {
  const signed = { '+': must, '': should, '-': mustNot };
  let separator = '';
  for (const [sign, nodes] of Object.entries(signed)) {
    for (const node of nodes) {
      const isCompound = node.kind === 'boolean' || node.kind === 'terms' || node.kind === 'ids';
      yield `${separator}${sign}${isCompound ? '(' : ''}`;
      yield* pieces(node, definition);
      if (isCompound) yield ')';
      separator = ' ';
    }
  }
}

/** Writes one condition; the default field is left out. */
function written(node: Exclude<QueryNode, { kind: 'boolean' | 'terms' | 'ids' }>, definition: Definition): string {
  if (node.kind === 'all') return '*:*';
  if (node.kind === 'none') return `MatchNoDocsQuery("${node.reason ?? 'The query has no terms.'}")`;
  const isDefault = node.field === TEXT_FIELD;
  if (node.kind === 'exists') return isDefault ? '*' : `_exists_:${escapedTerm(node.field)}`;
  return `${isDefault ? '' : `${escapedTerm(node.field)}:`}${writtenValue(node, definition)}`;
}

type ValueCondition = Exclude<QueryNode, { kind: 'all' | 'none' | 'boolean' | 'exists' | 'terms' | 'ids' }>;

function writtenValue(node: ValueCondition, definition: Definition): string {
  const kind = definedField(definition, node.field)?.searchKind;
  switch (node.kind) {
    case 'term':
      return quotedValue(shownValue(node.value, kind));
    case 'range': {
      const { lower, upper } = node;
      const shown = (bound: Bound | undefined) => (bound ? quotedBound(shownValue(bound.value, kind)) : '*');
      const [open, close] = [lower?.inclusive === false ? '{' : '[', upper?.inclusive === false ? '}' : ']'];
      return `${open}${shown(lower)} TO ${shown(upper)}${close}`;
    }
    case 'prefix':
      return `${escapedTerm(node.value)}*`;
    case 'wildcard':
      return node.pattern;
    case 'regexp':
      return `/${node.pattern}/`;
    case 'fuzzy':
      return `${escapedTerm(node.value)}~${node.maxEdits}`;
    case 'phrase':
      return `${quotedPhrase(node.terms.join(' '))}${node.slop === 0 ? '' : `~${node.slop}`}`;
  }
}

/** Returns an indexed value as people write it. */
function shownValue(value: IndexedValue, kind: SearchKind | undefined): string {
  if (kind === 'ip') return formatAddress(String(value));
  if (kind === 'float') return shortestFloat(Number(value));
  const date = kind === 'date' ? new Date(Number(value)) : undefined;
  // A bound may lie one millisecond beyond the last time of a `Date`.
  return date === undefined || Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}

/** Returns the shortest decimal that reads as the same float of 32 bits. */
function shortestFloat(value: number): string {
  const shortened = [6, 7, 8].map((digits) => Number(value.toPrecision(digits)));
  return String(shortened.find((decimal) => Math.fround(decimal) === value) ?? value);
}
