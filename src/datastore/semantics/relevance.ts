/**
 * Scores matches in a search by relevance, as search engines do (BM25).
 * Terms, fuzzy terms and phrases of keyword and full-text fields score by their rarity in the collection, every other
 * clause scores 1. A `boolean` node combines the scores of its parts as its `scoring` says.
 * @see https://lucene.apache.org/core/9_12_0/core/org/apache/lucene/search/similarities/BM25Similarity.html
 */

/** Limits what further occurrences in one document add (`k1`). */
const SATURATION = 1.2;
/** Lowers the score of longer fields (`b`). */
const LENGTH_WEIGHT = 0.75;

/** Statistics of a field over the documents that have it. */
export interface FieldStatistics {
  readonly documents: number;
  /** Values of a keyword field, tokens of full text. */
  readonly averageLength: number;
}

/** A term of the index that a clause stands for. */
export interface CountedTerm {
  /** Documents that contain it. */
  readonly documents: number;
  /** 1 for the term itself, less for one that is only similar. */
  readonly similarity: number;
}

/** Returns the factor of a term by its rarity in the field. */
export function rarity(field: FieldStatistics, documents: number): number {
  const containing = Math.min(documents, field.documents);
  return (SATURATION + 1) * Math.log(1 + (field.documents - containing + 0.5) / (containing + 0.5));
}

/**
 * Returns the factors of the terms that a fuzzy clause stands for.
 * All have the rarity of the most frequent one: a rare misspelling is no better than the word.
 */
export function fuzzyFactors(field: FieldStatistics, terms: readonly CountedTerm[]): readonly number[] {
  const factor = rarity(field, Math.max(...terms.map(({ documents }) => documents)));
  return terms.map(({ similarity }) => similarity * factor);
}

/** Returns the factor of a phrase: those of its terms together. */
export function phraseFactor(field: FieldStatistics, terms: readonly CountedTerm[]): number {
  return terms.reduce((sum, { documents }) => sum + rarity(field, documents), 0);
}

/**
 * Returns how length dampens a term.
 * With frequency `f` it scores `f / (f + base + slope * length)` of its factor.
 */
export function dampening({ averageLength }: FieldStatistics): { readonly base: number; readonly slope: number } {
  const slope = (SATURATION * LENGTH_WEIGHT) / Math.max(averageLength, 1);
  return { base: SATURATION * (1 - LENGTH_WEIGHT), slope };
}

/** Returns the share of its factor that a keyword scores: it occurs once, in a short field. */
export function keywordShare(field: FieldStatistics): number {
  const { base, slope } = dampening(field);
  return 1 / (1 + base + slope);
}
