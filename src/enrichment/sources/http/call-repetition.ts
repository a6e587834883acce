import type { HttpAnswer } from './http-exchange.ts';

/** Times that a call is made at most: once, and two repetitions. */
export const MAX_ATTEMPTS = 3;
/** Milliseconds before the first repetition; doubled before the second. */
const PAUSE = 150;
const REPEATED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Returns true for an answer after which a call may be repeated. */
export function isRepeatedStatus(status: number): boolean {
  return REPEATED_STATUSES.has(status);
}

/**
 * Returns the time that `Retry-After` names, or the header that urlscan.io has instead, in
 * milliseconds since 1970.
 */
export function retryTimeOf({ headers }: Pick<HttpAnswer, 'headers'>, now: number): number | undefined {
  const value = headers['retry-after'] ?? headers['x-rate-limit-reset-after'];
  if (typeof value !== 'string') return undefined;
  const time = /^\d{1,9}$/.test(value) ? now + Number(value) * 1000 : Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(time, now);
}

/**
 * Returns how many milliseconds to wait before a repetition, undefined when it could not end
 * before the deadline: it is taken to need as long as the attempt before.
 */
export function pauseBefore(
  attempt: number,
  times: {
    readonly began: number;
    readonly now: number;
    readonly deadline: number;
    readonly retryAt?: number | undefined;
  },
): number | undefined {
  const { began, now, deadline, retryAt = now + PAUSE * 2 ** (attempt - 1) } = times;
  return retryAt + (now - began) < deadline ? retryAt - now : undefined;
}
