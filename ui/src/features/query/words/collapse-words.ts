import { lex } from '../../../../../src/datastore/query-language/query-lexer.ts';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { WORD_FIELDS } from './alert-word-fields.ts';
import { wordClause, written } from './word-clause.ts';

const [FIRST_FIELD = ''] = WORD_FIELDS.keys();
const START = `(${FIRST_FIELD}:`;
/** Fields of prose are asked for a word as it was typed. */
const TEXT_FIELD = [...WORD_FIELDS].find(([, match]) => match === 'text')?.[0] ?? '';
const AS_TYPED = `${TEXT_FIELD}:`;
const ENDS_WORD = /^[\s)]?$/;

/**
 * Puts words back in the place of the clauses that `expandWords` made of them, as views have them. A
 * clause that is not exactly one of those, such as one with other fields, stays.
 */
export function collapseWords(query: string): string {
  let text = '';
  let end = 0;
  for (let at = query.indexOf(START); at !== -1; at = query.indexOf(START, Math.max(at + 1, end))) {
    const word = wordAt(query, at);
    if (word === undefined) continue;
    text += query.slice(end, at) + word.typed;
    end = at + word.length;
  }
  return text + query.slice(end);
}

/** Returns the word whose clause begins at a position. */
function wordAt(query: string, at: number): { readonly typed: string; readonly length: number } | undefined {
  const asTyped = query.indexOf(AS_TYPED, at);
  if (asTyped === -1) return undefined;
  const value = asTyped + AS_TYPED.length;
  const [first, second] = lex(query.slice(value));
  if (first === undefined || first.kind === 'broken') return undefined;
  const isFuzzy = second?.kind === 'fuzzy' && second.at === first.image.length;
  const leaf = leafOf(query.slice(value, value + first.image.length + (isFuzzy ? second.image.length : 0)));
  const clause = leaf && wordClause(leaf);
  if (leaf === undefined || clause === undefined || !query.startsWith(clause, at)) return undefined;
  // A word would be one with what follows it without a blank.
  if (!ENDS_WORD.test(query.charAt(at + clause.length))) return undefined;
  return { typed: written(leaf), length: clause.length };
}

function leafOf(typed: string) {
  try {
    const { clauses } = parseSyntax(typed);
    const node = clauses.length === 1 ? clauses[0]?.node : undefined;
    return node?.kind === 'group' ? undefined : node;
  } catch {
    return undefined;
  }
}
