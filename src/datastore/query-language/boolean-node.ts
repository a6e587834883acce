import { type IndexedValue, MATCH_NONE, type QueryNode } from '../port/query-tree.ts';

export type Occur = 'must' | 'should' | 'must_not';

export interface ResolvedClause {
  readonly query: QueryNode;
  readonly occur: Occur;
}

/**
 * Returns one node for the clauses of a group; undefined when there are none.
 * To keep trees small, alternative terms of one field become `terms`, and alternatives without a match are left out
 * unless they have a reason.
 */
export function booleanNode(clauses: readonly ResolvedClause[]): QueryNode | undefined {
  const [first] = clauses;
  if (!first) return undefined;
  if (clauses.length === 1 && first.occur !== 'must_not') return first.query;
  const of = (occur: Occur): readonly QueryNode[] =>
    clauses.filter((clause) => clause.occur === occur).map((clause) => clause.query);
  const must = of('must');
  const should = mergeTerms(of('should').filter((node) => !isNothing(node)));
  const mustNot = of('must_not').filter((node) => !isNothing(node));
  if (must.some(isNothing)) return MATCH_NONE;
  const onlyAlternatives = must.length === 0 && clauses.some((clause) => clause.occur === 'should');
  if (onlyAlternatives && should.length === 0) return MATCH_NONE;
  if (onlyAlternatives && should.length === 1 && mustNot.length === 0) return should[0];
  return { kind: 'boolean', must, should, mustNot };
}

function isNothing(node: QueryNode): boolean {
  return node.kind === 'none' && node.reason === undefined;
}

/** The first term of a field stands for all of them. */
function mergeTerms(nodes: readonly QueryNode[]): readonly QueryNode[] {
  const byField = new Map<string, Set<IndexedValue>>();
  const kept = nodes.filter((node) => {
    if (node.kind !== 'term') return true;
    const values = byField.get(node.field);
    if (values === undefined) byField.set(node.field, new Set([node.value]));
    else values.add(node.value);
    return values === undefined;
  });
  return kept.map((node) => {
    if (node.kind !== 'term') return node;
    const values = [...(byField.get(node.field) ?? [])];
    return values.length === 1 ? node : { kind: 'terms', field: node.field, values };
  });
}
