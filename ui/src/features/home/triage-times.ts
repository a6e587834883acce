/** Median and 90th percentile of the time from an alert to its triage, in ms. */
export interface TriageTimes {
  readonly count: number;
  readonly median: number;
  readonly p90: number;
}

/** Returns the figures of pairs of times; undefined without a pair that makes sense. */
export function triageTimes(
  pairs: readonly (readonly [created: unknown, triaged: unknown])[],
): TriageTimes | undefined {
  const times = pairs
    .map(([created, triaged]) => Date.parse(String(triaged)) - Date.parse(String(created)))
    .filter((time) => time >= 0)
    .toSorted((left, right) => left - right);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const [median, p90] = [at(0.5), at(0.9)];
  return median === undefined || p90 === undefined ? undefined : { count: times.length, median, p90 };
}
