import { MAX_QUERY_LENGTH, parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import type { GroupSyntax, LeafSyntax } from '../../../../../src/datastore/query-language/syntax-tree.ts';
import { wordClause } from './word-clause.ts';

/** A query whose words without a field are looked for in fields of alerts. */
export interface ExpandedQuery {
  readonly text: string;
  /** Returns the position in the query as it was typed. */
  readonly typedAt: (position: number) => number;
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly clause: string;
}

/**
 * Replaces each word and phrase without a field by a clause that looks for it in the fields of
 * `WORD_FIELDS`. It is plain Lucene, so that every search, count, action and saved view, also in other
 * interfaces, finds the same. A query that cannot be read stays as it is: the service says why.
 */
export function expandWords(typed: string): ExpandedQuery {
  const changes = changesOf(typed);
  let text = '';
  let end = 0;
  const places: { readonly typed: Change; readonly at: number; readonly end: number }[] = [];
  for (const change of changes) {
    text += typed.slice(end, change.from);
    places.push({ typed: change, at: text.length, end: text.length + change.clause.length });
    text += change.clause;
    end = change.to;
  }
  text += typed.slice(end);
  const typedAt = (position: number) => {
    const before = places.findLast(({ at }) => at <= position);
    if (before === undefined) return position;
    return position < before.end ? before.typed.from : before.typed.to + position - before.end;
  };
  return { text, typedAt };
}

/** Returns the words without a field, from left to right. */
export function wordsOf(typed: string): readonly LeafSyntax[] {
  try {
    return typed.length > MAX_QUERY_LENGTH
      ? []
      : leavesOf(parseSyntax(typed)).filter(({ field }) => field === undefined);
  } catch {
    return [];
  }
}

function changesOf(typed: string): readonly Change[] {
  return wordsOf(typed).flatMap((leaf) => {
    const clause = wordClause(leaf);
    return clause === undefined ? [] : [{ from: leaf.at, to: leaf.end, clause }];
  });
}

function leavesOf({ clauses }: GroupSyntax): readonly LeafSyntax[] {
  return clauses.flatMap(({ node }) => (node.kind === 'group' ? leavesOf(node) : [node]));
}
