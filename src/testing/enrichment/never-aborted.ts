/** For tests: the signal of a caller who never goes away. */
export const NEVER_ABORTED = new AbortController().signal;
