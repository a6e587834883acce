/** One chip above the query bar: a condition that every result meets, or does not meet. */
export type Filter = FieldFilter | QueryFilter;

interface FilterState {
  /** Results must not meet the condition. */
  readonly excluded: boolean;
  /** Stays in its place and does not restrict the results. */
  readonly off: boolean;
}

export interface FieldFilter extends FilterState {
  readonly kind: 'field';
  readonly field: string;
  readonly condition: FieldCondition;
}

/** A condition that is none of a single field, as it was written. */
export interface QueryFilter extends FilterState {
  readonly kind: 'query';
  readonly text: string;
}

export type FieldCondition =
  | { readonly kind: 'is'; readonly value: string }
  | { readonly kind: 'one_of'; readonly values: readonly string[] }
  | { readonly kind: 'exists' }
  | { readonly kind: 'range'; readonly lower?: RangeBound | undefined; readonly upper?: RangeBound | undefined };

export interface RangeBound {
  readonly text: string;
  readonly inclusive: boolean;
}

/** A value of a record: of any type of field, or missing. */
export type FieldValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Returns the filter for one value of a field. A missing value asks whether the field has one. NUL
 * characters and halves of surrogate pairs, which no indexed value contains, are left out or replaced.
 */
export function valueFilter(field: string, value: FieldValue, { excluded = false } = {}): FieldFilter {
  if (value === null || value === undefined) return fieldFilter(field, { kind: 'exists' }, !excluded);
  return fieldFilter(field, { kind: 'is', value: writtenValue(value) }, excluded);
}

/** Returns the filter for several values, of which a result has one. */
export function valuesFilter(field: string, values: readonly FieldValue[], { excluded = false } = {}): FieldFilter {
  const [first, ...others] = new Set(values.filter((value) => value !== null && value !== undefined).map(writtenValue));
  if (first === undefined) return valueFilter(field, undefined, { excluded });
  if (others.length === 0) return valueFilter(field, first, { excluded });
  return fieldFilter(field, { kind: 'one_of', values: [first, ...others] }, excluded);
}

/**
 * Returns the filter for a range. A bound without text is open; two open bounds ask whether there is a
 * value.
 */
export function rangeFilter(
  field: string,
  { lower, upper }: { readonly lower?: RangeBound | undefined; readonly upper?: RangeBound | undefined },
  { excluded = false } = {},
): FieldFilter {
  const [from, to] = [boundOrOpen(lower), boundOrOpen(upper)];
  if (!from && !to) return fieldFilter(field, { kind: 'exists' }, excluded);
  return fieldFilter(field, { kind: 'range', lower: from, upper: to }, excluded);
}

/** Returns true for filters that mean the same, whether they are off or not. */
export function isSameCondition(a: Filter, b: Filter): boolean {
  return JSON.stringify({ ...a, off: false }) === JSON.stringify({ ...b, off: false });
}

/**
 * Returns the filters with one more. One with the same condition is replaced, also where that one
 * excluded what the new one includes.
 */
export function withFilter(filters: readonly Filter[], added: Filter): readonly Filter[] {
  const others = filters.filter((filter) => !isSameCondition({ ...filter, excluded: added.excluded }, added));
  return [...others, added];
}

function fieldFilter(field: string, condition: FieldCondition, excluded: boolean): FieldFilter {
  return { kind: 'field', field, condition, excluded, off: false };
}

function boundOrOpen(bound: RangeBound | undefined): RangeBound | undefined {
  const text = bound && searchable(bound.text);
  return text === undefined || text === '' || text === '*' ? undefined : { text, inclusive: bound?.inclusive ?? true };
}

function writtenValue(value: Exclude<FieldValue, null | undefined>): string {
  if (value instanceof Date) return value.toISOString();
  return searchable(String(value));
}

function searchable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
