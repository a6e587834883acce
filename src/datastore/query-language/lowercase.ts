/**
 * Lower case as the index applies it: each code point by itself, without locale or context. İ (U+0130)
 * becomes i, and Σ is σ everywhere, also at the end of a word; `toLowerCase` of JavaScript treats these two otherwise,
 * and only these.
 */
export function lowercase(text: string): string {
  return /[\u0130\u03A3]/.test(text)
    ? text.replaceAll('\u0130', 'i').replaceAll('\u03A3', '\u03C3').toLowerCase()
    : text.toLowerCase();
}
