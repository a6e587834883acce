import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import type { QueryNode } from '../../port/query-tree.ts';
import { wildcardParts } from '../../regular-language/wildcard.ts';

/** Alternatives that are sent as they are. OpenSearch takes 1,024 clauses in a query. */
const MAX_SEPARATE = 512;
/** Default limit of both servers for a regular expression, in characters. */
const MAX_PATTERN = 1000;
const KEYWORDS: ReadonlySet<SearchKind | undefined> = new Set(['keyword', 'lowercase_keyword', 'text']);

type Joinable = Extract<QueryNode, { kind: 'wildcard' | 'prefix' | 'term' | 'terms' }>;

/** Joins many alternatives into one regular expression for each field of strings. */
export function joinedAlternatives(
  nodes: readonly QueryNode[],
  { fieldByPath }: Pick<CollectionDefinition<unknown>, 'fieldByPath'>,
): readonly QueryNode[] {
  if (nodes.length <= MAX_SEPARATE) return nodes;
  const isJoinable = (node: QueryNode): node is Joinable =>
    ['wildcard', 'prefix', 'term', 'terms'].includes(node.kind) &&
    'field' in node &&
    KEYWORDS.has(fieldByPath.get(node.field)?.searchKind);
  const byField = Map.groupBy(nodes.filter(isJoinable), ({ field }) => field);
  return nodes.flatMap((node): readonly QueryNode[] => {
    const group = isJoinable(node) ? (byField.get(node.field) ?? []) : [];
    const pattern = group.flatMap(patternsOf).join('|');
    if (!isJoinable(node) || group.length === 1 || pattern.length > MAX_PATTERN) return [node];
    // The first one of a field stands for all of them.
    return group[0] === node ? [{ kind: 'regexp', field: node.field, pattern }] : [];
  });
}

function patternsOf(node: Joinable): readonly string[] {
  switch (node.kind) {
    case 'wildcard':
      return [
        wildcardParts(node.pattern)
          .map((part) => (part === 'any_run' ? '.*' : part === 'any_one' ? '.' : escaped(part.literal)))
          .join(''),
      ];
    case 'prefix':
      return [`${escaped(node.value)}.*`];
    case 'term':
      return [escaped(String(node.value))];
    case 'terms':
      return node.values.map((value) => escaped(String(value)));
  }
}

/** Letters and digits after a backslash would be classes. */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}
