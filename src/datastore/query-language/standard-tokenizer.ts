import { isSurrogate } from '../regular-language/code-points.ts';
import { derivative, type Expression, either, NOTHING, repeat, sequence, symbol } from './token-language.ts';
import { CLASS, classesOf } from './word-break-classes.ts';

/** Maximum length of a token in UTF-16 units; longer tokens are split. */
const MAX_TOKEN_LENGTH = 255;

/** Splits a string into words (UAX #29) as the standard analyzer, keeping case, in linear time. */
export function standardTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  let start = 0;
  while (start < text.length) {
    const attempt = longestToken(text, start);
    if (attempt.end > start) tokens.push(text.slice(start, attempt.end));
    start = attempt.end > start ? attempt.end : startAfter(text, start, attempt);
  }
  return tokens;
}

/** Returns the beginning of a string that holds its first tokens; the whole when it has no more. */
export function firstTokens(text: string, most: number): string {
  // A token has a character at least.
  if (text.length <= most) return text;
  let start = 0;
  for (let tokens = 0; start < text.length; ) {
    const attempt = longestToken(text, start);
    if (attempt.end > start) tokens += 1;
    start = attempt.end > start ? attempt.end : startAfter(text, start, attempt);
    if (tokens === most) return text.slice(0, start);
  }
  return text;
}

interface Attempt {
  /** End of the longest token; its start when there is none. */
  readonly end: number;
  /** Offset from which no continuation can form a token. */
  readonly stop: number;
  /** Nothing of the kind: the text ended there, or the token became too long. */
  readonly isCut: boolean;
}

function longestToken(text: string, start: number): Attempt {
  const limit = Math.min(start + MAX_TOKEN_LENGTH, text.length);
  let state: Expression = WORD;
  let end = start;
  let at = start;
  while (at < limit) {
    const codePoint = text.codePointAt(at) ?? 0;
    const after = at + (codePoint > 0xffff ? 2 : 1);
    if (after > limit) break;
    state = derivative(state, classesOf(codePoint));
    if (state === NOTHING) return { end, stop: at, isCut: false };
    at = after;
    if (state.matchesEmpty) end = at;
  }
  return { end, stop: at, isCut: true };
}

/**
 * Returns the offset at which to continue after no token began at `start`.
 * Trying every offset would be slow for long runs of characters that may begin a token but do not form one.
 */
function startAfter(text: string, start: number, { stop, isCut }: Attempt): number {
  const codePoint = text.codePointAt(start) ?? 0;
  const classes = classesOf(codePoint);
  const next = start + (codePoint > 0xffff ? 2 : 1);
  if (classes !== CLASS.connector && classes !== JOINER) return next;
  if (isCut) return Math.max(next, nextCore(text, next, text.length) - MAX_TOKEN_LENGTH);
  if (classes === JOINER) return stop;
  // From any connector on the way the same text follows; joiners right before a core may belong to an emoji.
  let at = nextCore(text, next, stop);
  while (at > next && classesOf(text.charCodeAt(at - 1)) === JOINER) at -= 1;
  return at;
}

/** The next character before `to` that is more than a connector or clinging to one. */
function nextCore(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && (classesOf(text.charCodeAt(at)) & ~NO_CORE) === 0 && !isSurrogate(text.charCodeAt(at))) at += 1;
  return at;
}

const JOINER = CLASS.extend | CLASS.joiner;
const NO_CORE = CLASS.connector | JOINER | CLASS.textSelector | CLASS.emojiSelector;
const WORD = words();

/** Any token, by the rules of Lucene's standard tokenizer, over classes of characters. */
function words(): Expression {
  const of = (...names: readonly (keyof typeof CLASS)[]): Expression => {
    const bits = names.reduce((sum, name) => sum | CLASS[name], 0);
    return symbol(names.join(), (classes) => (classes & bits) !== 0);
  };
  const any = (inner: Expression): Expression => repeat(inner, 0, Number.POSITIVE_INFINITY);
  const some = (inner: Expression): Expression => repeat(inner, 1, Number.POSITIVE_INFINITY);
  const maybe = (inner: Expression): Expression => repeat(inner, 0, 1);

  /** A character with what clings to it (WB4). */
  const clinging = any(of('extend', 'joiner', 'textSelector', 'emojiSelector'));
  const full = (...names: readonly (keyof typeof CLASS)[]): Expression => sequence(of(...names), clinging);

  const connectors = any(full('connector'));
  const katakana = sequence(full('katakana'), any(sequence(connectors, full('katakana'))));
  const number = sequence(full('numeric'), any(sequence(either(connectors, full('midNumber')), full('numeric'))));
  const letters = sequence(
    full('letter', 'hebrewLetter'),
    any(sequence(either(connectors, full('midLetter')), full('letter', 'hebrewLetter'))),
  );
  const hebrew = sequence(
    full('hebrewLetter'),
    either(full('singleQuote'), sequence(full('doubleQuote'), full('hebrewLetter'))),
  );
  const block = either(katakana, some(either(hebrew, number, letters)));
  const word = sequence(connectors, block, any(sequence(some(full('connector')), block)), connectors);

  const emojiClinging = any(of('extend', 'joiner'));
  const modified = sequence(
    maybe(sequence(any(of('joiner')), of('emojiModifierBase'), emojiClinging)),
    of('emojiModifier'),
    emojiClinging,
  );
  const single = either(sequence(any(of('joiner')), of('emoji'), emojiClinging, maybe(of('emojiSelector'))), modified);
  const emoji = either(
    sequence(single, either(any(sequence(of('joiner'), single)), sequence(some(of('tag')), of('tagEnd')))),
    sequence(of('keycapBase'), emojiClinging, maybe(of('emojiSelector')), of('keycap'), emojiClinging),
    repeat(full('regionalIndicator'), 2, 2),
  );

  return either(emoji, word, some(full('southEastAsian')), full('han'), full('hiragana'));
}
