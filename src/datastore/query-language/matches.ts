import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import type { Bound, IndexedValue, QueryNode } from '../port/query-tree.ts';
import { compareCodePoints } from '../regular-language/code-points.ts';
import { compileFuzzy } from '../regular-language/fuzzy.ts';
import { StepBudget } from '../regular-language/query-limits.ts';
import { compileRegexp } from '../regular-language/regexp.ts';
import { compileWildcard } from '../regular-language/wildcard.ts';
import { type IndexedDocument, indexedValues } from './indexed-values.ts';
import { matchesPhrase } from './phrase.ts';

/**
 * Returns whether a document matches a query; the reference implementation of the query tree.
 * Fuzzy clauses are not limited to their best expansions, which are not known for a single document.
 * @param budget - takes a step for each condition and each character that a pattern reads; default: no limit
 */
export function matches<T>(
  node: QueryNode,
  definition: CollectionDefinition<T>,
  document: T,
  budget?: StepBudget,
): boolean {
  return matchesIndexed(node, indexedValues(definition, document), budget);
}

/** Returns whether a document with known indexed values matches a query. */
export function matchesIndexed(node: QueryNode, document: IndexedDocument, budget: StepBudget = UNLIMITED): boolean {
  budget.spend(1);
  const holds = (inner: QueryNode) => matchesIndexed(inner, document, budget);
  const someValueOf = (field: string, test: (value: IndexedValue) => boolean) => {
    const values = document.values.get(field) ?? [];
    const tokens = document.tokens.get(field) ?? [];
    budget.spend(values.length + tokens.length);
    return values.some(test) || tokens.some(({ text }) => test(text));
  };
  const someText = (field: string, test: TextTest) =>
    someValueOf(field, (value) => {
      if (typeof value !== 'string') return false;
      budget.spend(value.length);
      return test(value);
    });
  switch (node.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'boolean': {
      const { must, should, mustNot } = node;
      if (mustNot.some(holds)) return false;
      if (must.length > 0) return must.every(holds);
      return should.length === 0 || should.some(holds);
    }
    case 'exists':
      return document.values.has(node.field) || document.tokens.has(node.field);
    case 'term':
      return someValueOf(node.field, (value) => value === node.value);
    case 'terms': {
      const wanted = compiled(node, ({ values }) => new Set(values));
      return someValueOf(node.field, (value) => wanted.has(value));
    }
    case 'range':
      return someValueOf(node.field, (value) => isInside(value, node.lower, node.upper));
    case 'prefix':
      return someValueOf(node.field, (value) => typeof value === 'string' && value.startsWith(node.value));
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return someText(node.field, compiled(node, textTest));
    case 'phrase': {
      const tokens = document.tokens.get(node.field) ?? [];
      budget.spend(tokens.length * (node.slop > 0 ? node.terms.length : 1));
      const last = node.lastIsPrefix ? node.terms.at(-1) : undefined;
      if (last === undefined) return matchesPhrase(tokens, node.terms, node.slop);
      const begun = new Set(tokens.flatMap(({ text }) => (text.startsWith(last) ? [text] : [])));
      budget.spend(begun.size * tokens.length);
      return [...begun].some((term) => matchesPhrase(tokens, node.terms.with(-1, term), 0));
    }
    case 'ids': {
      const wanted = compiled(node, ({ ids }) => new Set<IndexedValue>(ids));
      return someValueOf(ID_FIELD, (id) => wanted.has(id));
    }
  }
}

const UNLIMITED = new StepBudget(Number.POSITIVE_INFINITY, () => new Error('unreachable'));

type TextTest = (text: string) => boolean;
/** Caches the compiled form of a node, because a query is often applied to many documents. */
const COMPILED = new WeakMap<QueryNode, unknown>();

function compiled<N extends QueryNode, T>(node: N, compile: (node: N) => T): T {
  // Each kind of node is compiled in one way, so what is kept has the type asked for.
  const known = (COMPILED.get(node) as T | undefined) ?? compile(node);
  COMPILED.set(node, known);
  return known;
}

function textTest(node: Extract<QueryNode, { kind: 'wildcard' | 'regexp' | 'fuzzy' }>): TextTest {
  if (node.kind === 'wildcard') return compileWildcard(node.pattern);
  return node.kind === 'regexp' ? compileRegexp(node.pattern) : compileFuzzy(node.value, node.maxEdits);
}

export function compareIndexedValues(a: IndexedValue, b: IndexedValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function isInside(value: IndexedValue, lower: Bound | undefined, upper: Bound | undefined): boolean {
  const fits = (bound: Bound | undefined, sign: 1 | -1): boolean => {
    if (!bound) return true;
    const order = sign * compareIndexedValues(value, bound.value);
    return order > 0 || (order === 0 && bound.inclusive);
  };
  return fits(lower, 1) && fits(upper, -1);
}
