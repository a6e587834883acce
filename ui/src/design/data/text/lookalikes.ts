/**
 * Letters of other scripts that pass for Latin ones, after the table of confusables of Unicode
 * Technical Standard 39.
 */
const CYRILLIC = 'аАВвсСԁеЕЁёһНіІїЇјЈкКмМоОрРԛѕЅтТуУхХԝҮүӏӀьЬгз';
const GREEK = 'αΑΒϲϹεΕΗιΙϳΚκΜνΝοΟρΡΤτυΥΧχΖγ';
const ARMENIAN = 'օոսհցքգյԼՕՏՍ';
const CHEROKEE = 'ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᏒᏚᎢᏙᏔᎩᏃ';
const LETTER_LIKE = 'ɑɡɩʟꓐꓑꓚꓓꓝꓔ';

export const LOOKALIKES: ReadonlySet<string> = new Set([
  ...CYRILLIC,
  ...GREEK,
  ...ARMENIAN,
  ...CHEROKEE,
  ...LETTER_LIKE,
  // Full-width letters and digits, and the letters of mathematics, are read as plain ones.
  ...rangeOf(0xff10, 0xff19),
  ...rangeOf(0xff21, 0xff3a),
  ...rangeOf(0xff41, 0xff5a),
  ...rangeOf(0x1d400, 0x1d7ff),
]);

function rangeOf(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}
