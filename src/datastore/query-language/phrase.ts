import type { Token } from './analysis.ts';

/**
 * Returns whether the tokens of one field, given in order, contain a phrase.
 * Its terms, each shifted back by its place in the phrase, lie at most `slop` apart; equal ones need two positions.
 */
export function matchesPhrase(tokens: readonly Token[], terms: readonly string[], slop: number): boolean {
  const positions = new Map<string, number[]>(terms.map((text) => [text, []]));
  for (const token of tokens) positions.get(token.text)?.push(token.position);
  if ([...positions.values()].some((list) => list.length === 0)) return false;
  const starts = new Set(terms.flatMap((text, place) => positions.get(text)?.map((at) => at - place) ?? []));
  return [...starts].some((start) => fitsFrom(start, start + slop, terms, positions));
}

/** Takes the first free place for every term: windows of equal terms end in the order of the terms. */
function fitsFrom(
  first: number,
  last: number,
  terms: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
): boolean {
  const taken = new Map<string, number>();
  return terms.every((text, place) => {
    const from = Math.max(first + place, (taken.get(text) ?? -1) + 1);
    const found = firstFrom(positions.get(text) ?? [], from);
    if (found === undefined || found > last + place) return false;
    taken.set(text, found);
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
