import { LOOKALIKES } from './lookalikes.ts';

/** A kind of character that people cannot see, or take for another one. The names are message keys. */
export type HiddenKind = 'control' | 'direction' | 'invisible' | 'space' | 'confusable' | 'stacked' | 'broken';

export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: HiddenKind;
      /** The characters themselves, for copying. */
      readonly text: string;
      /** `U+202E`; of a run of equal characters the first. */
      readonly code: string;
      /** The number of equal characters in this place. */
      readonly count: number;
    };

/**
 * Returns the sign of a mark: the letter that misleads, the sign that editors have for it, or the
 * code.
 */
export function signOf({ kind, text, code, count }: Exclude<Segment, { kind: 'text' }>): string {
  const sign =
    kind === 'confusable' ? [...text][0] : ({ 'U+000A': '⏎', 'U+000D': '␍', 'U+0009': '⇥' }[code] ?? code.slice(2));
  return count === 1 ? `${sign}` : `${sign}×${count}`;
}

export interface VisibleText {
  readonly segments: readonly Segment[];
  /** Characters (UTF-16 units) that were left out at the end. */
  readonly hidden: number;
}

export interface VisibleOptions {
  /** Characters shown; default 500. */
  readonly limit?: number;
  /** True for several lines: line ends and tabs are drawn as such instead of as marks. */
  readonly lines?: boolean;
}

const PLAIN = /^[\x20-\x7e]*$/;
const DEFAULT_LIMIT = 500;
/** Marks above one letter that a written language needs; more of them paint over the lines around. */
const MAX_COMBINING = 3;

const DIRECTION = /^[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/;
const SPACE = /^[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u115f\u1160\u3164\uffa0]$/;
const INVISIBLE = /^(?:\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])$/u;
const NEVER_SEEN = /^[\p{Cf}\p{Zl}\p{Zp}]$/u;
const BROKEN = /^[\p{Cs}\p{Co}\p{Cn}\ufffd]$/u;
const COMBINING = /^\p{M}$/u;
const PICTURE = /^\p{Extended_Pictographic}$/u;
const LATIN = /\p{Script=Latin}/u;
const LETTERS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Splits a value into what is read as it stands and characters that are to be shown as marks: control,
 * direction, zero-width and unusual space characters, letters that look like Latin ones inside a Latin
 * word, piles of accents.
 */
export function visibleText(value: string, options: VisibleOptions = {}): VisibleText {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const shown = value.length > limit ? value.slice(0, cutAt(value, limit)) : value;
  const hidden = value.length - shown.length;
  if (PLAIN.test(shown)) return { segments: shown === '' ? [] : [{ kind: 'text', text: shown }], hidden };
  return { segments: segmentsOf(shown, options.lines ?? false), hidden };
}

/** Keeps both halves of a character together. */
function cutAt(value: string, limit: number): number {
  const last = value.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}

function segmentsOf(value: string, lines: boolean): Segment[] {
  const segments: Segment[] = [];
  const confusable = confusablePlaces(value);
  let text = '';
  let combining = 0;
  let before = '';
  const flush = () => {
    if (text !== '') segments.push({ kind: 'text', text });
    text = '';
  };
  let place = 0;
  for (const character of value) {
    combining = COMBINING.test(character) ? combining + 1 : 0;
    const kind = kindOf(character, { lines, before, combining, isConfusable: confusable.has(place) });
    place += character.length;
    before = character;
    if (kind === undefined) {
      text += character;
      continue;
    }
    flush();
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const last = segments.at(-1);
    if (last !== undefined && last.kind === kind && (last.code === code || kind === 'stacked')) {
      segments[segments.length - 1] = { ...last, text: last.text + character, count: last.count + 1 };
    } else {
      segments.push({ kind, text: character, code, count: 1 });
    }
  }
  flush();
  return segments;
}

interface Surroundings {
  readonly lines: boolean;
  readonly before: string;
  readonly combining: number;
  readonly isConfusable: boolean;
}

function kindOf(character: string, around: Surroundings): HiddenKind | undefined {
  if (around.isConfusable) return 'confusable';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x7f) {
    if (code >= 0x20 || (around.lines && (code === 0x0a || code === 0x09))) return undefined;
    return 'control';
  }
  if (code < 0xa0) return 'control';
  if (DIRECTION.test(character)) return 'direction';
  if (SPACE.test(character)) return 'space';
  // Emoji are written with these two.
  if ((code === 0xfe0f || code === 0x200d) && (PICTURE.test(around.before) || around.before === '\ufe0f')) {
    return undefined;
  }
  if (INVISIBLE.test(character) || NEVER_SEEN.test(character)) return 'invisible';
  if (BROKEN.test(character)) return 'broken';
  return around.combining > MAX_COMBINING ? 'stacked' : undefined;
}

/**
 * Returns where letters stand that look like Latin ones: in a word that has Latin letters too, or in a
 * word of nothing else beside Latin ones without a space between (a domain). A word of another script
 * with a letter of its own is left.
 */
function confusablePlaces(value: string): ReadonlySet<number> {
  const places = new Set<number>();
  for (const token of value.matchAll(/\S+/g)) {
    const tokenIsLatin = LATIN.test(token[0]);
    for (const word of token[0].matchAll(LETTERS)) {
      const start = token.index + word.index;
      const characters = [...word[0]];
      const isLatin = characters.some((character) => LATIN.test(character) && !LOOKALIKES.has(character));
      const isDisguise = tokenIsLatin && characters.every((character) => LOOKALIKES.has(character));
      if (!isLatin && !isDisguise) continue;
      let place = start;
      for (const character of characters) {
        if (LOOKALIKES.has(character)) places.add(place);
        place += character.length;
      }
    }
    let place = token.index;
    for (const character of token[0]) {
      if (PUNCTUATION_LOOKALIKES.has(character)) places.add(place);
      place += character.length;
    }
  }
  return places;
}

/** Characters that pass for `.`, `/`, `:`, `-`, `@` in an address. */
const PUNCTUATION_LOOKALIKES = new Set('․‧。．｡⁄∕⧸／：︰∶ː‐‑＠﹫﹒﹕');
