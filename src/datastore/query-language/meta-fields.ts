import { Refusal, type RuleResult } from './field-rules.ts';
import type { GroupSyntax, SyntaxNode } from './syntax-tree.ts';

type MetaClause = Exclude<SyntaxNode, GroupSyntax | { kind: 'any_value' }>;

const refuse = (): Refusal => new Refusal('does not take this kind of query');

/** Fields that no definition lists and every collection has. */
export const META_RULES: ReadonlyMap<string, (clause: MetaClause) => RuleResult> = new Map([
  [
    '_id',
    (clause: MetaClause): RuleResult =>
      clause.kind === 'words' || clause.kind === 'phrase' ? { kind: 'ids', ids: [clause.text] } : refuse(),
  ],
  ['_source', refuse],
  ['_version', refuse],
]);
