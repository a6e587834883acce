import type { Bound, IndexedValue } from '../port/query-tree.ts';

const LEAST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;

/** A bound in whole 64-bit numbers; `open`: everything lies inside, `closed`: nothing does. */
export type WholeLimit = { readonly value: bigint; readonly inclusive: boolean } | 'open' | 'closed';

/** Undefined: no value of a 64-bit column equals it. */
export function wholeValue(value: IndexedValue): bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  return whole < LEAST || whole > LARGEST ? undefined : whole;
}

/** A lower (`>`) or upper (`<`) bound, which may have a fraction or lie beyond the numbers of the column. */
export function wholeLimit({ value, inclusive }: Bound, sign: '<' | '>'): WholeLimit {
  if (value === Number.POSITIVE_INFINITY) return sign === '<' ? 'open' : 'closed';
  if (value === Number.NEGATIVE_INFINITY) return sign === '>' ? 'open' : 'closed';
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const nearest = BigInt(sign === '>' ? Math.ceil(value) : Math.floor(value));
    return wholeLimit({ value: nearest, inclusive: true }, sign);
  }
  const whole = BigInt(value);
  if (whole > LARGEST) return sign === '<' ? 'open' : 'closed';
  if (whole < LEAST) return sign === '>' ? 'open' : 'closed';
  return { value: whole, inclusive };
}
