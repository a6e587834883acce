import type { Bound, IndexedValue } from '../../port/query-tree.ts';

const LEAST = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A bound in whole 64-bit numbers; `open`: everything lies inside, `closed`: nothing does. */
export type IntegerLimit = { readonly value: bigint; readonly inclusive: boolean } | 'open' | 'closed';

/** Undefined: no value of a 64-bit column equals it. */
export function integerValue(value: IndexedValue): bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  return whole < LEAST || whole > MAX_INT64 ? undefined : whole;
}

/** A lower (`>`) or upper (`<`) bound, which may have a fraction or lie beyond the numbers of the column. */
export function integerLimit({ value, inclusive }: Bound, sign: '<' | '>'): IntegerLimit {
  if (value === Number.POSITIVE_INFINITY) return sign === '<' ? 'open' : 'closed';
  if (value === Number.NEGATIVE_INFINITY) return sign === '>' ? 'open' : 'closed';
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const nearest = BigInt(sign === '>' ? Math.ceil(value) : Math.floor(value));
    return integerLimit({ value: nearest, inclusive: true }, sign);
  }
  const whole = BigInt(value);
  if (whole > MAX_INT64) return sign === '<' ? 'open' : 'closed';
  if (whole < LEAST) return sign === '>' ? 'open' : 'closed';
  return { value: whole, inclusive };
}
