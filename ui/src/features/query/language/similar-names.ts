import { bestFuzzyTerms } from '../../../../../src/datastore/regular-language/fuzzy.ts';

const MAX_NAME_LENGTH = 100;

/**
 * Returns the name that was probably meant: one that ends in the given name (`status` →
 * `howler.status`), or differs from it by few letters.
 */
export function similarName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_NAME_LENGTH) return undefined;
  const wanted = given.toLowerCase();
  const longer = names.filter((name) => name.endsWith(`.${wanted}`));
  const [shortest] = longer.sort((a, b) => a.length - b.length);
  if (shortest !== undefined) return shortest;
  const maxEdits = wanted.length < 4 ? 1 : wanted.length < 10 ? 2 : 3;
  const [best] = bestFuzzyTerms({ value: wanted, maxEdits }, names, 1);
  return best;
}
