import { MATCH_NONE, type QueryNode } from '../../port/query-tree.ts';
import { substringRegexp } from '../../regular-language/substring-regexp.ts';
import { isResolvable, mayBeNear } from './query-resolution.ts';
import { compileCondition, NOTHING } from './sql-compiler.ts';
import type { Statement } from './sql-statement.ts';

/** Fields asked for a string in any case, from which on leaving some out saves more than it costs. */
const MANY_SUBSTRINGS = 8;

/** Returns whether `possibleQuery` is worth the state that it has to take first. */
export function looksInManyFields(node: QueryNode): boolean {
  return substringsOf(node) >= MANY_SUBSTRINGS;
}

function substringsOf(node: QueryNode): number {
  if (node.kind !== 'boolean') return node.kind === 'regexp' && substringRegexp(node.pattern) !== undefined ? 1 : 0;
  const children = [...node.must, ...node.should, ...node.mustNot];
  return children.reduce((sum, child) => sum + substringsOf(child), 0);
}

/**
 * Returns the query without the clauses that no document can match, which matches and scores the same.
 * A plain-text search has a clause for each of 900 fields and each word; 10 of them are left.
 */
export function possibleQuery(node: QueryNode, statement: Statement): QueryNode {
  if (node.kind !== 'boolean') return isPossible(node, statement) ? node : MATCH_NONE;
  const possible = (nodes: readonly QueryNode[]) => nodes.map((child) => possibleQuery(child, statement));
  const isSome = ({ kind }: QueryNode) => kind !== 'none';
  const [must, should, mustNot] = [possible(node.must), possible(node.should).filter(isSome), possible(node.mustNot)];
  const lacksChoice = must.length === 0 && node.should.length > 0 && should.length === 0;
  if (lacksChoice || !must.every(isSome)) return MATCH_NONE;
  return { ...node, must, should, mustNot: mustNot.filter(isSome) };
}

function isPossible(node: QueryNode, statement: Statement): boolean {
  switch (node.kind) {
    case 'fuzzy':
      return mayBeNear(node, statement.field(node.field));
    case 'regexp': {
      const field = statement.field(node.field);
      const contained = substringRegexp(node.pattern)?.contained;
      if (field?.kind !== 'string' || contained === undefined) return field !== undefined;
      return field.grams?.some((grams) => grams.mayContainInAnyCase(contained)) ?? true;
    }
    case 'wildcard':
    case 'phrase':
      if (statement.field(node.field) === undefined) return false;
      return isResolvable(node) || compileCondition(node, statement, new Map()) !== NOTHING;
    default:
      return compileCondition(node, statement, new Map()) !== NOTHING;
  }
}
