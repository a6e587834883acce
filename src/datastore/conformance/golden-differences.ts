/**
 * Rows of test/golden/lucene that are answered in another way on purpose: the row's title (`goldenTitle`) and the reason, as
 * docs/decisions tells it. A row that is listed here and does not differ any more fails the suite, so the list only shrinks.
 */
export const GOLDEN_DIFFERENCES: readonly { readonly titles: readonly string[]; readonly reason: string }[] = [];
