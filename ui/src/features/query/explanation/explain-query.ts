import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import type { ClauseSyntax, GroupSyntax, SyntaxNode } from '../../../../../src/datastore/query-language/syntax-tree.ts';
import type { Translate } from '../../../i18n/translation.ts';
import type { QueryFields } from '../language/query-fields.ts';
import { explainCondition } from './explain-condition.ts';

/** A sentence, and those that it ties together. */
export interface Explanation {
  readonly words: string;
  readonly parts: readonly Explanation[];
}

export interface ExplanationContext {
  readonly fields: QueryFields | undefined;
  /** The fields that words without one are looked for in. Default: the default field of the index. */
  readonly wordFields?: readonly string[] | undefined;
  readonly now: Date;
  readonly t: Translate;
}

/** More parts of one group are counted, not said. */
const MAX_PARTS = 50;

/**
 * Says in words what a query finds, as the search reads it: from left to right, without precedence.
 * Returns undefined for a query that cannot be read.
 */
export function explainQuery(text: string, context: ExplanationContext): Explanation | undefined {
  try {
    const { clauses, ...group } = parseSyntax(text);
    if (clauses.length === 0) return sentence(context.t('query.explain.everything'));
    return explainGroup({ ...group, clauses }, false, context);
  } catch {
    return undefined;
  }
}

function sentence(words: string, parts: readonly Explanation[] = []): Explanation {
  return { words, parts };
}

type Occur = 'must' | 'should' | 'must_not';

interface Placed {
  readonly occur: Occur;
  readonly node: SyntaxNode;
}

function explainGroup({ clauses }: GroupSyntax, negated: boolean, context: ExplanationContext): Explanation {
  const { t } = context;
  const placed = placedClauses(clauses);
  const of = (occur: Occur) => placed.filter((clause) => clause.occur === occur).map(({ node }) => node);
  const [must, should, mustNot] = [of('must'), of('should'), of('must_not')];
  const [first] = placed;
  if (placed.length === 1 && first) return explainNode(first.node, negated !== (first.occur === 'must_not'), context);
  const said = (nodes: readonly SyntaxNode[], not: boolean) => nodes.map((node) => explainNode(node, not, context));
  if (must.length + mustNot.length === 0) {
    return sentence(t(negated ? 'query.explain.none' : 'query.explain.any'), cut(said(should, false), t));
  }
  const alternatives = cut(said(should, false), t);
  const [alternative] = alternatives;
  const either =
    alternatives.length === 1 && alternative ? alternative : sentence(t('query.explain.any'), alternatives);
  const parts = [
    ...said(must, false),
    ...(must.length === 0 && should.length > 0 ? [either] : []),
    ...said(mustNot, true),
    // Once a clause is required, optional ones change nothing.
    ...(must.length > 0 && should.length > 0 ? [sentence(t('query.explain.noEffect'), alternatives)] : []),
  ];
  return sentence(t(negated ? 'query.explain.notAll' : 'query.explain.all'), cut(parts, t));
}

function explainNode(node: SyntaxNode, negated: boolean, context: ExplanationContext): Explanation {
  if (node.kind === 'group') return explainGroup(node, negated, context);
  return sentence(explainCondition(node, negated, context));
}

/** AND makes the clauses on both of its sides required; OR changes nothing. */
function placedClauses(clauses: readonly ClauseSyntax[]): readonly Placed[] {
  const placed: Placed[] = [];
  for (const { conjunction, modifier, node } of clauses) {
    const previous = placed.at(-1);
    if (conjunction === 'and' && previous?.occur === 'should')
      placed[placed.length - 1] = { ...previous, occur: 'must' };
    const isRequired = modifier === 'required' || conjunction === 'and';
    placed.push({ node, occur: modifier === 'prohibited' ? 'must_not' : isRequired ? 'must' : 'should' });
  }
  return placed;
}

function cut(parts: readonly Explanation[], t: Translate): readonly Explanation[] {
  if (parts.length <= MAX_PARTS) return parts;
  const count = parts.length - MAX_PARTS;
  return [...parts.slice(0, MAX_PARTS), sentence(t('query.explain.more', { count }))];
}
