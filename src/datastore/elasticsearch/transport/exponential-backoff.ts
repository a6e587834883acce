/** Milliseconds. */
export interface PauseLimits {
  /** Before the first repetition; each further one doubles it. */
  readonly first: number;
  readonly longest: number;
}

/**
 * Milliseconds to wait after an attempt, counted from 0.
 * Half of it by chance, so that many callers do not come back all at once.
 */
export function exponentialBackoff(attempt: number, { first, longest }: PauseLimits): number {
  const whole = Math.min(longest, first * 2 ** attempt);
  return whole / 2 + (Math.random() * whole) / 2;
}
