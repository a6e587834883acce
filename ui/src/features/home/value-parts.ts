import type { Part } from '../alerts/list/histogram/histogram-data.ts';
import { queryOfValues } from '../query/model/record-queries.ts';

export interface ValuePart extends Part {
  /** Undefined: all other values, and none. */
  readonly value: string | undefined;
  /** Alerts of the part in the whole time. */
  readonly count: number;
}

/** Returns the parts of a chart: one for each value, and the rest. */
export function partsOf(field: string, values: readonly string[]): readonly (Part & Pick<ValuePart, 'value'>)[] {
  const parts = values
    .filter((value) => value !== '')
    .map((value) => ({ id: `=${value}`, appearance: undefined, query: queryOfValues(field, [value]), value }));
  return [...parts, { id: 'rest', appearance: undefined, query: undefined, value: undefined }];
}

/** Returns the query for the alerts of a part. */
export function queryOfPart(query: string, field: string, parts: readonly ValuePart[], part: ValuePart): string {
  if (part.query !== undefined) return `${query} AND ${part.query}`;
  const values = parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length === 0 ? query : `${query} AND NOT ${queryOfValues(field, values)}`;
}
