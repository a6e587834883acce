/** Compares by code points, the order of UTF-8 bytes; JavaScript's own is by UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/**
 * Returns lower case as the index applies it: each code point by itself.
 * Unlike `toLowerCase`, İ (U+0130) becomes i, and Σ is σ also at the end of a word.
 */
export function lowercase(text: string): string {
  return /[\u0130\u03A3]/.test(text)
    ? text.replaceAll('\u0130', 'i').replaceAll('\u03A3', '\u03C3').toLowerCase()
    : text.toLowerCase();
}
