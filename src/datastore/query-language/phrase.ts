import type { PhraseTerm } from '../port/query-tree.ts';
import type { Token } from './analysis.ts';

/**
 * Returns whether the tokens of one field contain a phrase.
 * Positions for all its terms must exist such that, each shifted back by the position of the term in the phrase, they
 * lie at most `slop` apart. Equal terms need different positions.
 * @param tokens - in the order of their positions
 */
export function matchesPhrase(tokens: readonly Token[], terms: readonly PhraseTerm[], slop: number): boolean {
  const wanted = terms.toSorted((a, b) => a.position - b.position);
  const positions = new Map<string, number[]>(wanted.map(({ text }) => [text, []]));
  for (const token of tokens) positions.get(token.text)?.push(token.position);
  if ([...positions.values()].some((list) => list.length === 0)) return false;
  const starts = new Set(wanted.flatMap(({ text, position }) => positions.get(text)?.map((at) => at - position) ?? []));
  return [...starts].some((start) => fitsFrom(start, start + slop, wanted, positions));
}

/**
 * Every term takes the first free place: the windows of equal terms begin, and so end, in the order of
 * the terms.
 */
function fitsFrom(
  first: number,
  last: number,
  terms: readonly PhraseTerm[],
  positions: ReadonlyMap<string, readonly number[]>,
): boolean {
  const taken = new Map<string, number>();
  return terms.every(({ text, position }) => {
    const from = Math.max(first + position, (taken.get(text) ?? -1) + 1);
    const place = firstFrom(positions.get(text) ?? [], from);
    if (place === undefined || place > last + position) return false;
    taken.set(text, place);
    return true;
  });
}

/** The smallest number of an ascending list that is not below `from`. */
function firstFrom(ascending: readonly number[], from: number): number | undefined {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}
