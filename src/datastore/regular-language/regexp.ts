import { invalidQuery } from '../query-language/invalid-query.ts';
import { type Expression, Language, TooManyStates } from './automaton.ts';
import { type CodePointRange, MalformedRegexp, parseRegexp, type RegexpNode } from './regexp-parser.ts';

/** Where a pattern is given up as too complex. */
const MAX_EXPRESSIONS = 50_000;

/** Why a pattern is no regular expression, as the end of a sentence that begins with the field; undefined: it is one. */
export function checkRegexp(pattern: string): string | undefined {
  try {
    parseRegexp(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof MalformedRegexp) return `is asked with a malformed regular expression: ${error.message}`;
    throw error;
  }
}

/**
 * Compiles a regular expression in Lucene's syntax into a test of whole values. Characters are code points. The time is linear in the
 * length of the value once the states that it passes are known.
 * @throws InvalidInput `invalid_query` for a malformed pattern; the test throws it when the pattern turns out too complex
 */
export function compileRegexp(pattern: string): (value: string) => boolean {
  const language = new Language(MAX_EXPRESSIONS);
  const start = expressionOf(parsed(pattern), language);
  return (value) => {
    try {
      return contains(language, start, value);
    } catch (error) {
      if (error instanceof TooManyStates)
        throw invalidQuery('A regular expression is too complex. Make its repetitions smaller.', 0);
      throw error;
    }
  };
}

function parsed(pattern: string): RegexpNode {
  const problem = checkRegexp(pattern);
  if (problem !== undefined) throw invalidQuery(`A field ${problem}.`, 0);
  return parseRegexp(pattern);
}

function contains(language: Language, start: Expression, value: string): boolean {
  let state = start;
  for (let at = 0; at < value.length; at += 1) {
    const codePoint = value.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at += 1;
    state = language.derivative(state, codePoint);
    if (state === language.nothing) return false;
    if (state === language.anything) return true;
  }
  return state.matchesEmpty;
}

function expressionOf(node: RegexpNode, language: Language): Expression {
  const of = (inner: RegexpNode): Expression => expressionOf(inner, language);
  switch (node.kind) {
    case 'either':
      return language.either(...node.options.map(of));
    case 'both':
      return language.both(...node.options.map(of));
    case 'sequence':
      return language.sequence(...node.parts.map(of));
    case 'repeat':
      return language.repeat(of(node.inner), node.min, node.max);
    case 'not':
      return language.not(of(node.inner));
    case 'characters':
      return characters(language, node.ranges, node.negated);
    case 'literal':
      return literal(language, node.text);
    case 'any_character':
      return language.symbol('.', () => true);
    case 'any_text':
      return language.anything;
    case 'nothing':
      return language.nothing;
    case 'interval':
      return interval(language, node.min, node.max, node.digits);
  }
}

function literal(language: Language, text: string): Expression {
  return language.sequence(
    ...[...text].map((character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      return characters(language, [[codePoint, codePoint]], false);
    }),
  );
}

function characters(language: Language, ranges: readonly CodePointRange[], negated: boolean): Expression {
  return language.symbol(
    `${negated ? '^' : ''}${ranges.join(';')}`,
    (symbol) => ranges.some(([first, last]) => symbol >= first && symbol <= last) !== negated,
  );
}

function interval(language: Language, min: number, max: number, digits: number): Expression {
  if (digits > 0) return numbersBetween(language, String(min).padStart(digits, '0'), String(max).padStart(digits, '0'));
  const zeros = language.repeat(literal(language, '0'), 0, Number.POSITIVE_INFINITY);
  const width = String(max).length;
  const options: Expression[] = [];
  for (let length = String(min).length; length <= width; length += 1) {
    const first = length === String(min).length ? String(min) : `1${'0'.repeat(length - 1)}`;
    const last = length === width ? String(max) : '9'.repeat(length);
    options.push(numbersBetween(language, first, last));
  }
  return language.sequence(zeros, language.either(...options));
}

/** Numbers between two of the same length. */
function numbersBetween(language: Language, first: string, last: string): Expression {
  if (first === '') return language.empty;
  const low = first.charCodeAt(0);
  const high = last.charCodeAt(0);
  const rest = first.length - 1;
  if (low === high) return digitThen(language, low, low, numbersBetween(language, first.slice(1), last.slice(1)));
  const inner = low + 1 <= high - 1 ? [digitThen(language, low + 1, high - 1, anyDigits(language, rest))] : [];
  return language.either(
    digitThen(language, low, low, numbersBetween(language, first.slice(1), '9'.repeat(rest))),
    ...inner,
    digitThen(language, high, high, numbersBetween(language, '0'.repeat(rest), last.slice(1))),
  );
}

function digitThen(language: Language, first: number, last: number, rest: Expression): Expression {
  return language.sequence(characters(language, [[first, last]], false), rest);
}

function anyDigits(language: Language, count: number): Expression {
  return language.repeat(characters(language, [[0x30, 0x39]], false), count, count);
}
