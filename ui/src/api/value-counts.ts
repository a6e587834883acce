/** A value of a field with the number of records that have it. */
export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** Returns the values of a facet, the most frequent first. */
export function byCount(counts: Readonly<Record<string, number>> | undefined): readonly ValueCount[] {
  const values = Object.entries(counts ?? {}).map(([value, count]) => ({ value, count }));
  return values.sort((left, right) => right.count - left.count);
}
