import type { PhraseTerm } from '../query-tree.ts';
import type { Token } from './analysis.ts';

/**
 * Whether tokens of one field hold a phrase: places for all its terms can be found such that, each shifted back by the term's place
 * in the phrase, they lie at most `slop` apart. Equal terms need different places.
 */
export function matchesPhrase(tokens: readonly Token[], terms: readonly PhraseTerm[], slop: number): boolean {
  const places = terms.map((term) =>
    tokens.filter((token) => token.text === term.text).map((token) => token.position - term.position),
  );
  if (places.some((list) => list.length === 0)) return false;
  // Every window starts at a place of some term: try them in order, each with the first place of every other term inside.
  const starts = [...new Set(places.flat())].sort((a, b) => a - b);
  return starts.some((start) => fits(terms, places, start, start + slop, new Set()));
}

function fits(
  terms: readonly PhraseTerm[],
  places: readonly (readonly number[])[],
  from: number,
  to: number,
  taken: Set<number>,
  index = 0,
): boolean {
  const term = terms[index];
  if (!term) return true;
  const isRepeated = terms.some((other, at) => at !== index && other.text === term.text);
  for (const place of places[index] ?? []) {
    if (place < from || place > to) continue;
    const position = place + term.position;
    if (!isRepeated) return fits(terms, places, from, to, taken, index + 1);
    if (taken.has(position)) continue;
    taken.add(position);
    if (fits(terms, places, from, to, taken, index + 1)) return true;
    taken.delete(position);
  }
  return false;
}
