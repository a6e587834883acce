import { type FailureLike, sourceFailure } from '../source-failure.ts';

/** Describes how a lookup is split, for sources that answer few values at a time. */
export interface SplitOptions<S, R> {
  /** Values of one call. */
  readonly size: number;
  /** Calls at the same time. */
  readonly concurrency: number;
  /** Makes one call, under the limits of the source. */
  readonly ask: (selectors: readonly S[]) => Promise<ReadonlyMap<S, R>>;
  /** Returns the result of a value whose call failed. Is called once for each failed call. */
  readonly failed: (error: unknown) => R;
}

/**
 * Looks values up with several calls. A failed call is the error of its own values.
 * A failure that the other calls would repeat (limits, deadline, refused key, no connection) is the error of all values that were not asked yet.
 */
export async function splitLookup<S, R>(
  selectors: readonly S[],
  { size, concurrency, ask, failed }: SplitOptions<S, R>,
): Promise<ReadonlyMap<S, R>> {
  const results = new Map<S, R>();
  let next = 0;
  let stopped: R | undefined;
  const work = async () => {
    while (next < selectors.length && stopped === undefined) {
      const part = selectors.slice(next, next + size);
      next += size;
      try {
        for (const [selector, result] of await ask(part)) results.set(selector, result);
      } catch (error) {
        const result = failed(error);
        for (const selector of part) results.set(selector, result);
        if (concernsOthers(sourceFailure(error))) stopped ??= result;
      }
    }
  };
  const workers = Math.min(concurrency, Math.ceil(selectors.length / size));
  await Promise.all(Array.from({ length: workers }, work));
  if (stopped !== undefined) for (const selector of selectors.slice(next)) results.set(selector, stopped);
  return results;
}

/** Statuses of a wrong key and of a used-up quota. */
const SHARED_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403, 429]);

function concernsOthers({ kind, status, isReset }: FailureLike): boolean {
  if (kind === 'status') return SHARED_STATUSES.has(status);
  return kind !== 'unusable' && isReset !== true;
}
