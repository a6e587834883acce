const SOUTH_EAST_ASIAN =
  '[[[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}\\p{Script=Khmer}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Ahom}]&&[[\\p{L}\\p{M}]--\\u1A7F]]\\u109E\\u109F\\u19DA\\u19DE\\u19DF\\u1AA0-\\u1AA6\\u1AA8-\\u1AAD\\uAA77-\\uAA79\\uAADE\\uAADF\\u{1173A}\\u{1173B}\\u{1173F}]';
/** Letters by their use, which Alphabetic leaves out. */
const MORE_LETTERS =
  '\\u02C2-\\u02C5\\u02D2-\\u02D7\\u02DE\\u02DF\\u02ED\\u02EF-\\u02FF\\u055B\\u055C\\u055E\\u05F3\\uA720\\uA721\\uA789\\uA78A\\uAB5B';
/** Extended_Pictographic without the emoji: Unicode 17 took most of them out of that property. */
const PICTOGRAPHS =
  '\\u2388\\u2600-\\u2605\\u2607-\\u2612\\u2614-\\u2685\\u2690-\\u2705\\u2708-\\u2712\\u2763-\\u2767\\u{1F000}-\\u{1F0FF}\\u{1F10D}-\\u{1F10F}\\u{1F12F}\\u{1F16C}-\\u{1F16F}\\u{1F1AD}-\\u{1F1E5}\\u{1F203}-\\u{1F20F}\\u{1F23C}-\\u{1F23F}\\u{1F249}-\\u{1F3FA}\\u{1F400}-\\u{1F53D}\\u{1F546}-\\u{1F64F}\\u{1F680}-\\u{1F6FF}\\u{1F774}-\\u{1F77F}\\u{1F7D5}-\\u{1F7FF}\\u{1F80C}-\\u{1F80F}\\u{1F848}-\\u{1F84F}\\u{1F85A}-\\u{1F85F}\\u{1F888}-\\u{1F88F}\\u{1F8AE}-\\u{1F8FF}\\u{1F90C}-\\u{1F93A}\\u{1F93C}-\\u{1F945}\\u{1F947}-\\u{1FAFF}\\u{1FC00}-\\u{1FFFD}';
const KATAKANA = '[\\p{Script=Katakana}\\u3031-\\u3035\\u309B\\u309C\\u30A0\\u30FC\\uFF70]';
const HEBREW_LETTER = '[\\p{Script=Hebrew}&&\\p{Lo}]';

/** Sets of regular expressions by the name of a class. */
const SETS = {
  letter: `[[\\p{Alphabetic}${MORE_LETTERS}]--\\p{Ideographic}--\\p{Script=Hiragana}--${KATAKANA}--[\\p{M}\\uFF9E\\uFF9F]--${HEBREW_LETTER}--${SOUTH_EAST_ASIAN}]`,
  hebrewLetter: HEBREW_LETTER,
  numeric: '[\\p{Nd}\\u066B]',
  katakana: KATAKANA,
  connector: '[_\\u202F\\u203F\\u2040\\u2054\\uFE33\\uFE34\\uFE4D-\\uFE4F\\uFF3F]',
  midLetter: "[:\\u00B7\\u0387\\u05F4\\u2027\\uFE13\\uFE55\\uFF1A.\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E']",
  midNumber:
    "[,;\\u037E\\u0589\\u060C\\u060D\\u066C\\u07F8\\u2044\\uFE10\\uFE14\\uFE50\\uFE54\\uFF0C\\uFF1B.\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E']",
  singleQuote: "'",
  doubleQuote: '"',
  // Combining marks, format characters and the joiner, without the two selectors.
  extend: '[[\\p{M}\\p{Cf}\\p{Emoji_Modifier}\\uFF9E\\uFF9F\\u{E0020}-\\u{E007F}]--[\\u200B\\uFE0E\\uFE0F]]',
  joiner: '\\u200D',
  textSelector: '\\uFE0E',
  emojiSelector: '\\uFE0F',
  han: '\\p{Script=Han}',
  hiragana: '\\p{Script=Hiragana}',
  southEastAsian: SOUTH_EAST_ASIAN,
  regionalIndicator: '\\p{Regional_Indicator}',
  keycapBase: '[0-9#*]',
  keycap: '\\u20E3',
  emoji: `[[\\p{Emoji}${PICTOGRAPHS}]--[\\p{Regional_Indicator}\\p{Emoji_Modifier}0-9#*]]`,
  emojiModifierBase: '\\p{Emoji_Modifier_Base}',
  emojiModifier: '\\p{Emoji_Modifier}',
  tag: '[\\u{E0020}-\\u{E007E}]',
  tagEnd: '\\u{E007F}',
};
const NAMES = Object.keys(SETS) as (keyof typeof SETS)[];

/**
 * The properties of characters for word boundaries, each a bit; a character can have several.
 * Word_Break (UAX #29, Unicode 12.1 as the index uses it), Line_Break, scripts and the emoji properties.
 */
export const CLASS = Object.fromEntries(NAMES.map((name, at) => [name, 1 << at])) as Record<keyof typeof SETS, number>;

const TESTS = NAMES.map((name) => ({ bit: CLASS[name], expression: new RegExp(`^${SETS[name]}$`, 'v') }));
const UNKNOWN = 1 << 30;
/** Classes of the Basic Multilingual Plane once known; a map would be the slowest part of reading. */
const KNOWN = new Int32Array(0x10000).fill(UNKNOWN);
const KNOWN_BEYOND = new Map<number, number>();

/** The classes of a code point, as a sum of bits. */
export function classesOf(codePoint: number): number {
  const known = KNOWN[codePoint] ?? KNOWN_BEYOND.get(codePoint) ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  const classes = findClasses(codePoint);
  if (codePoint < KNOWN.length) KNOWN[codePoint] = classes;
  else KNOWN_BEYOND.set(codePoint, classes);
  return classes;
}

function findClasses(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  return TESTS.reduce((sum, { bit, expression }) => (expression.test(character) ? sum | bit : sum), 0);
}
