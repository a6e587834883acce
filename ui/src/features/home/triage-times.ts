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

/** Returns a duration in its two largest units, `2 h 5 min`. */
export function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${minutes} min`;
}
