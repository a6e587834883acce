export interface Matchable {
  readonly name: string;
  /** Words that find the entry as its name does: `Alerts` finds "Go to Alerts". */
  readonly shortName?: string | undefined;
  /** The thing that it belongs to or leads to; its words find the entry after others. */
  readonly hint?: string | undefined;
}

/**
 * Returns the entries that have all typed words as beginnings of words. Those whose name begins with
 * what was typed come first, those that need words of their hint last. Case and accents do not count.
 */
export function paletteMatches<Entry extends Matchable>(entries: readonly Entry[], typed: string): Entry[] {
  const words = wordsOf(typed);
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ entry }) => entry);
}

const NO_MATCH = 3;

function rankOf({ name, shortName = '', hint = '' }: Matchable, words: readonly string[]): number {
  const [ofName, ofShortName, ofHint] = [wordsOf(name), wordsOf(shortName), wordsOf(hint)];
  const whole = words.join(' ');
  if ([ofName, ofShortName].some((own) => own.join(' ').startsWith(whole))) return 0;
  const isIn = (own: readonly string[]) => words.every((word) => own.some((one) => one.startsWith(word)));
  if (isIn([...ofName, ...ofShortName])) return 1;
  return isIn([...ofName, ...ofShortName, ...ofHint]) ? 2 : NO_MATCH;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
