import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../../documents/schema/field-types.ts';
import type { Bound, IndexedValue, QueryNode } from '../port/query-tree.ts';
import { compareCodePoints } from '../regular-language/code-point-order.ts';
import { compileFuzzy } from '../regular-language/fuzzy.ts';
import { compileRegexp } from '../regular-language/regexp.ts';
import { compileWildcard } from '../regular-language/wildcard.ts';
import { type IndexedDocument, indexedValues } from './indexed-values.ts';
import { matchesPhrase } from './phrase.ts';

/**
 * Whether a document matches a query: the meaning of the tree, written as plainly as possible, without an index. Fuzzy clauses are
 * not limited to their best expansions, because a single document does not know which those are.
 */
export function matches<T>(node: QueryNode, definition: CollectionDefinition<T>, document: T): boolean {
  return matchesIndexed(node, indexedValues(definition, document));
}

/** As `matches`, of a document whose indexed values are known. */
export function matchesIndexed(node: QueryNode, document: IndexedDocument): boolean {
  switch (node.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'boolean': {
      const { must, should, mustNot } = node;
      if (mustNot.some((inner) => matchesIndexed(inner, document))) return false;
      if (must.length > 0) return must.every((inner) => matchesIndexed(inner, document));
      return should.length === 0 || should.some((inner) => matchesIndexed(inner, document));
    }
    case 'exists':
      return document.values.has(node.field) || document.tokens.has(node.field);
    case 'term':
      return someValue(document, node.field, (value) => value === node.value);
    case 'terms':
      return someValue(document, node.field, (value) => node.values.includes(value));
    case 'range':
      return someValue(document, node.field, (value) => isAbove(value, node.lower) && isBelow(value, node.upper));
    case 'prefix':
      return someText(document, node.field, (text) => text.startsWith(node.value));
    case 'wildcard':
      return someText(
        document,
        node.field,
        textTest(node, () => compileWildcard(node.pattern)),
      );
    case 'regexp':
      return someText(
        document,
        node.field,
        textTest(node, () => compileRegexp(node.pattern)),
      );
    case 'fuzzy':
      return someText(
        document,
        node.field,
        textTest(node, () => compileFuzzy(node.value, node.maxEdits, node.prefixLength)),
      );
    case 'phrase':
      return matchesPhrase(document.tokens.get(node.field) ?? [], node.terms, node.slop);
    case 'ids':
      return someText(document, ID_FIELD, (id) => node.ids.includes(id));
  }
}

type TextTest = (text: string) => boolean;
/** A query is often asked of one document after another. */
const TESTS = new WeakMap<QueryNode, TextTest>();

function textTest(node: QueryNode, compile: () => TextTest): TextTest {
  const known = TESTS.get(node);
  if (known) return known;
  const test = compile();
  TESTS.set(node, test);
  return test;
}

/** Order of two indexed values of one field. */
export function compareIndexedValues(a: IndexedValue, b: IndexedValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function someValue(document: IndexedDocument, field: string, test: (value: IndexedValue) => boolean): boolean {
  if (document.values.get(field)?.some(test)) return true;
  return document.tokens.get(field)?.some((token) => test(token.text)) ?? false;
}

function someText(document: IndexedDocument, field: string, test: (text: string) => boolean): boolean {
  return someValue(document, field, (value) => typeof value === 'string' && test(value));
}

function isAbove(value: IndexedValue, bound: Bound | undefined): boolean {
  if (!bound) return true;
  const order = compareIndexedValues(value, bound.value);
  return order > 0 || (order === 0 && bound.inclusive);
}

function isBelow(value: IndexedValue, bound: Bound | undefined): boolean {
  if (!bound) return true;
  const order = compareIndexedValues(value, bound.value);
  return order < 0 || (order === 0 && bound.inclusive);
}
