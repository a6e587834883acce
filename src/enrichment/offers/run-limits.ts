/** Seconds that a caller may wait for an action or a fetcher. */
const MAX_TIMEOUT = 300;

/** Returns the milliseconds of `max_timeout`: the default when it is unreadable, at most 300,000. */
export function runTimeout(sent: string | undefined, usual: number): number {
  const seconds = Number(sent?.trim() || Number.NaN);
  return 1000 * Math.min(seconds > 0 ? seconds : usual, MAX_TIMEOUT);
}
