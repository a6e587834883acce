import { compareCodePoints } from './code-points.ts';

/**
 * Compiles a test for values at most `maxEdits` edits away (optimal string alignment).
 * Edits insert, delete or replace a code point, or swap two neighbours; no part is edited twice.
 */
export function compileFuzzy(value: string, maxEdits: number): (candidate: string) => boolean {
  const wanted = [...value];
  return (candidate) => {
    if (Math.abs(candidate.length - value.length) > 2 * maxEdits) return false;
    return editDistance(wanted, [...candidate], maxEdits) <= maxEdits;
  };
}

/**
 * Returns the `most` most similar of the candidates in the distance of a fuzzy clause.
 * Similarity is 1 - edits / length of the shorter of both; equally similar terms are in the order of their UTF-8 bytes.
 */
export function bestFuzzyTerms(
  { value, maxEdits }: { readonly value: string; readonly maxEdits: number },
  candidates: Iterable<string>,
  most: number,
): readonly string[] {
  const wanted = [...value];
  const found: { term: string; similarity: number }[] = [];
  for (const term of new Set(candidates)) {
    const similarity = similarityOf(wanted, [...term], maxEdits);
    if (similarity !== undefined) found.push({ term, similarity });
  }
  found.sort((a, b) => b.similarity - a.similarity || compareCodePoints(a.term, b.term));
  return found.slice(0, most).map(({ term }) => term);
}

/** Returns the similarity of a term as `bestFuzzyTerms` ranks it, at least 0. */
export function fuzzySimilarity(
  { value, maxEdits }: { readonly value: string; readonly maxEdits: number },
  term: string,
): number {
  return Math.max(0, similarityOf([...value], [...term], maxEdits) ?? 0);
}

function similarityOf(wanted: readonly string[], term: readonly string[], maxEdits: number): number | undefined {
  const edits = editDistance(wanted, term, maxEdits);
  if (edits > maxEdits) return undefined;
  return edits === 0 ? 1 : 1 - edits / Math.min(wanted.length, term.length);
}

/** Rows of the table of distances; one computation uses them at a time. */
let [beforeLast, last, row]: [number[], number[], number[]] = [[], [], []];

/** Returns any number above `limit` for what is above it: only cells near the diagonal are filled. */
function editDistance(a: readonly string[], b: readonly string[], limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const [from, to] = [Math.max(1, i - limit), Math.min(b.length, i + limit)];
    row[from - 1] = from === 1 ? i : limit + 1;
    let best = row[from - 1] ?? 0;
    for (let j = from; j <= to; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = distance;
      if (distance < best) best = distance;
    }
    if (to < b.length) row[to + 1] = limit + 1;
    if (best > limit) return limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length] ?? limit + 1;
}
