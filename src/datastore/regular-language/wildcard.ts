/** A part of a wildcard pattern. */
export type WildcardPart = { readonly literal: string } | 'any_one' | 'any_run';

/** Applies `map` to the literal text of a pattern; wildcards and characters after a backslash stay as they are. */
export function mapWildcardLiterals(pattern: string, map: (text: string) => string): string {
  return pattern.replace(/[^\\*?]+|\\.?/gs, (part) => (part.startsWith('\\') ? part : map(part)));
}

/**
 * Compiles a pattern of `*` (any run), `?` (any one character) and `\` (before a literal one) into a test of whole values.
 * Characters are code points. The time is at most the product of both lengths.
 */
export function compileWildcard(pattern: string): (value: string) => boolean {
  const parts = wildcardParts(pattern);
  if (!parts.includes('any_one') && !parts.includes('any_run')) {
    const literal = parts.map((part) => (typeof part === 'string' ? '' : part.literal)).join('');
    return (value) => value === literal;
  }
  const symbols = parts.flatMap((part): readonly WildcardPart[] =>
    typeof part === 'string' ? [part] : [...part.literal].map((literal) => ({ literal })),
  );
  return (value) => matchesSymbols(symbols, [...value]);
}

/** Text that RE2 takes literally. */
export function escapeRe2(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The pattern taken apart; neighbouring runs are one. */
export function wildcardParts(pattern: string): readonly WildcardPart[] {
  const parts: WildcardPart[] = [];
  for (const [part] of pattern.matchAll(/\*+|\?|\\.|[^\\*?]+|\\$/gs)) {
    if (part.startsWith('*')) parts.push('any_run');
    else if (part === '?') parts.push('any_one');
    else parts.push({ literal: part.length > 1 && part.startsWith('\\') ? part.slice(1) : part });
  }
  return parts;
}

/** Greedy with one point to come back to: a later run makes all earlier ones settled. */
function matchesSymbols(symbols: readonly WildcardPart[], characters: readonly string[]): boolean {
  let symbol = 0;
  let character = 0;
  let runSymbol = -1;
  let runCharacter = 0;
  while (character < characters.length) {
    const wanted = symbols[symbol];
    if (wanted === 'any_run') {
      runSymbol = symbol;
      runCharacter = character;
      symbol += 1;
    } else if (wanted === 'any_one' || (wanted !== undefined && wanted.literal === characters[character])) {
      symbol += 1;
      character += 1;
    } else if (runSymbol === -1) {
      return false;
    } else {
      symbol = runSymbol + 1;
      runCharacter += 1;
      character = runCharacter;
    }
  }
  while (symbols[symbol] === 'any_run') symbol += 1;
  return symbol === symbols.length;
}
