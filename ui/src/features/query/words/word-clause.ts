import type { LeafSyntax } from '../../../../../src/datastore/query-language/syntax-tree.ts';
import { escapedTerm, quotedPhrase, quotedValue } from '../../../../../src/datastore/query-language/written-values.ts';
import { wildcardParts } from '../../../../../src/datastore/regular-language/wildcard.ts';
import { alertIndicatorFields } from '../indicators/alert-indicator-fields.ts';
import { readIndicators } from '../indicators/read-indicators.ts';
import { WORD_FIELDS, type WordMatch } from './alert-word-fields.ts';

/** More words in a row are a sentence, which is looked for as it is. */
const MAX_WORDS = 8;
/** Characters of a string that is looked for in any case: a regular expression has at most 1,000. */
const MAX_ANY_CASE = 200;

/** The values that a word stands for, in the notation of queries, by how a field is asked. */
type Asked = Readonly<Partial<Record<WordMatch, string>>>;

/** Returns the clause that looks for a word in the fields of alerts; undefined for what is no word. */
export function wordClause(leaf: LeafSyntax): string | undefined {
  const words = leaf.kind === 'words' ? separateWords(leaf) : [];
  if (words.length > 1) return `(${words.map((word) => anywhere(asWord(word), word)).join(' AND ')})`;
  switch (leaf.kind) {
    case 'words':
    case 'phrase':
      if (!isWord(leaf.text)) return undefined;
      return leaf.kind === 'words' && !leaf.severalWords
        ? anywhere(asWord(leaf.text), leaf.text)
        : anywhere({ ...asWord(leaf.text), text: written(leaf) }, leaf.text);
    case 'prefix':
    case 'wildcard':
      return isWord(textOf(leaf)) ? anywhere({ ...asPattern(textOf(leaf)), text: written(leaf) }) : undefined;
    case 'regexp':
    case 'fuzzy':
      // Lucene reads on to the last slash that it can: behind a backslash one ends a pattern only where no other follows.
      if (leaf.kind === 'regexp' && leaf.pattern.endsWith('\\')) return undefined;
      return anywhere({ any_case: written(leaf), small: written(leaf), text: written(leaf) });
    // `*` finds everything, and a range without a field has no meaning.
    case 'any_value':
    case 'range':
      return undefined;
  }
}

/** Returns the words of a row that are looked for one by one, each in any of the fields. */
export function separateWords({ text, severalWords }: Extract<LeafSyntax, { kind: 'words' }>): readonly string[] {
  const words = severalWords ? text.split(/\s+/).filter(isWord) : [text];
  return words.length <= MAX_WORDS ? words : [text];
}

/** Returns a word, phrase or pattern as a query contains it, without its field. */
export function written(leaf: LeafSyntax): string {
  switch (leaf.kind) {
    case 'words':
      return leaf.severalWords ? quotedPhrase(leaf.text) : escapedTerm(leaf.text);
    case 'phrase':
      return `${quotedPhrase(leaf.text)}${leaf.slop > 0 ? `~${leaf.slop}` : ''}`;
    case 'prefix':
      return `${escapedTerm(leaf.text)}*`;
    case 'wildcard':
      return leaf.pattern;
    case 'regexp':
      return `/${leaf.pattern}/`;
    case 'fuzzy':
      return `${escapedTerm(leaf.text)}~${leaf.maxEdits}`;
    case 'any_value':
    case 'range':
      return '*';
  }
}

/** @param value what identifiers and indicators are compared with, where the word may be one */
function anywhere(asked: Asked, value?: string): string {
  const clauses = [...WORD_FIELDS].flatMap(([field, match]) => {
    const words = asked[match];
    return words === undefined ? [] : [`${field}:${words}`];
  });
  const [indicator, ...others] = (value === undefined ? undefined : readIndicators(value)) ?? [];
  const fields = indicator && others.length === 0 ? alertIndicatorFields(indicator.kind) : [];
  // A field that is asked whether it contains the value need not be asked whether it is the value.
  const more = fields.filter((field) => WORD_FIELDS.get(field) !== 'any_case');
  return `(${[...clauses, ...more.map((field) => `${field}:${quotedValue(indicator?.value ?? '')}`)].join(' OR ')})`;
}

function asWord(text: string): Asked {
  const asked = asPattern(escapedWildcard(text));
  if (/\s/.test(text)) return { ...asked, text: quotedPhrase(text) };
  return { ...asked, text: escapedTerm(text), whole: quotedValue(text) };
}

/** Returns what asks for values that contain a wildcard pattern, in any case where it is short enough. */
function asPattern(pattern: string): { readonly small: string; readonly any_case: string } {
  const parts = wildcardParts(pattern);
  const inner = parts.slice(parts[0] === 'any_run' ? 1 : 0, parts.at(-1) === 'any_run' ? -1 : undefined);
  const joined = (anyRun: string, anyOne: string, literal: (text: string) => string) =>
    inner.map((part) => (part === 'any_run' ? anyRun : part === 'any_one' ? anyOne : literal(part.literal))).join('');
  const small = `*${joined('*', '?', escapedWildcard)}*`;
  if (pattern.length > MAX_ANY_CASE) return { small, any_case: small };
  return { small, any_case: `/.*${joined('.*', '.', (text) => [...text].map(characterInAnyCase).join(''))}.*/` };
}

/** Returns what asks a field for values that contain a string, in any case where it is short enough. */
export function inAnyCase(text: string): string {
  return asPattern(escapedWildcard(text)).any_case;
}

function characterInAnyCase(character: string): string {
  const [small, large] = [character.toLowerCase(), character.toUpperCase()];
  const isPair = small !== large && [...small].length === 1 && [...large].length === 1;
  if (isPair) return `[${small}${large}]`;
  return /[\p{L}\p{N}\s_]/u.test(character) ? character : `\\${character}`;
}

function escapedWildcard(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_.@]/gu, '\\$&');
}

function textOf(leaf: Extract<LeafSyntax, { kind: 'prefix' | 'wildcard' }>): string {
  return leaf.kind === 'prefix' ? `${escapedWildcard(leaf.text)}*` : leaf.pattern;
}

/** Signs alone are in almost every value. */
function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
