export interface Matchable {
  readonly name: string;
}

/**
 * Returns the entries whose names have all typed words as beginnings of words, those first that begin
 * with what was typed. Case and accents do not count.
 */
export function paletteMatches<Entry extends Matchable>(entries: readonly Entry[], typed: string): Entry[] {
  const words = wordsOf(typed);
  const found = entries.filter(({ name }) => {
    const parts = wordsOf(name);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
  const whole = words.join(' ');
  const beginsWhole = ({ name }: Entry) => (wordsOf(name).join(' ').startsWith(whole) ? 0 : 1);
  return found.toSorted((left, right) => beginsWhole(left) - beginsWhole(right));
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
