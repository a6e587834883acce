/** `4/minute`: how many calls within any period of that length. */
export interface CallRate {
  /** The rate as the settings have it. */
  readonly text: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly period: number;
}

/** Milliseconds by name. A month is one of 31 days, so that no calendar month has more calls. */
const PERIODS = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 31 * 86_400_000 } as const;

/** Returns the rates of a setting. Expects strings that the setting accepts. */
export function readCallRates(texts: readonly string[]): readonly CallRate[] {
  return texts.map((text) => {
    const [calls = '', period = ''] = text.split('/').map((part) => part.trim());
    return { text: `${calls}/${period}`, calls: Number(calls), period: PERIODS[period as keyof typeof PERIODS] };
  });
}

/** Times of calls, the oldest first: milliseconds since 1970, and how many at about that time. */
export type CallTimes = readonly (readonly [time: number, calls: number])[];

/**
 * Number of parts of a period in which calls are counted. Bounds the stored data of a rate with many
 * calls.
 */
const PARTS = 60;

/**
 * Returns the times that still count at `now`. Times after `now`, which a clock that was set back
 * leaves, count as `now`.
 */
export function timesWithin(times: CallTimes, { period }: CallRate, now: number): CallTimes {
  return times
    .filter(([time]) => time + period > now)
    .map(([time, calls]) => (time > now ? ([now, calls] as const) : [time, calls]));
}

/** Returns the earliest time, `now` or later, at which one more call fits. */
export function nextCallAt(times: CallTimes, { calls, period }: CallRate, now: number): number {
  let used = times.reduce((sum, [, count]) => sum + count, 0);
  let next = now;
  for (const [time, count] of times) {
    if (used < calls) break;
    used -= count;
    next = Math.max(next, time + period);
  }
  return next;
}

/** Returns the times with one more call at `time`. Calls of one part of the period count as its last. */
export function withCall(times: CallTimes, { calls, period }: CallRate, time: number): CallTimes {
  const last = times.at(-1);
  const isSamePart =
    last !== undefined && Math.floor(last[0] / (period / PARTS)) === Math.floor(time / (period / PARTS));
  if (calls > PARTS && isSamePart) return [...times.slice(0, -1), [Math.max(last[0], time), last[1] + 1]];
  return [...times, [time, 1]];
}
