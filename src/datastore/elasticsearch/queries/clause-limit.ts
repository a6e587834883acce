import { MAX_FUZZY_EXPANSIONS } from '../../port/query-tree.ts';
import type { Dsl } from './engine-values.ts';

/** Clauses that are sent in one piece. OpenSearch takes 1,024 by default. */
const MAX_CLAUSES = 1000;
/** Alternatives that are worth a piece of their own. */
const MIN_GROUP = 100;

const COMPOUND = new Set(['bool', 'dis_max', 'constant_score', 'filter', 'must', 'must_not', 'should', 'queries']);

/** Returns whether OpenSearch may refuse the query for the number of its clauses. */
export function hasTooManyClauses(query: Dsl): boolean {
  return clauseCount(query) > MAX_CLAUSES;
}

/**
 * Returns alternatives, which do not score, in a form whose clauses OpenSearch counts on their own.
 * What does not match scores 1 there, so that the lowest score leaves it out.
 */
export function countedApart(alternatives: Dsl, size: number): Dsl {
  if (size < MIN_GROUP) return alternatives;
  const functions = [{ filter: alternatives, weight: 2 }];
  return { function_score: { query: { match_all: {} }, functions, boost_mode: 'replace', min_score: 2 } };
}

/** Fuzzy terms count as the terms that they stand for. */
function clauseCount(part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, one: unknown) => sum + clauseCount(one), 0);
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce((sum, [key, value]) => {
    if (COMPOUND.has(key)) return sum + clauseCount(value);
    if (typeof value !== 'object') return sum;
    return sum + (key === 'fuzzy' || key === 'match_phrase_prefix' ? MAX_FUZZY_EXPANSIONS : 1);
  }, 0);
}
