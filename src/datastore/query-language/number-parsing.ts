const DECIMAL = /^(?:NaN|[+-]?Infinity|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,6})?)$/;

/** Smallest and largest whole number that the kind holds. */
export const INTEGER_LIMITS = {
  integer: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  long: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
} as const;

/** Reads a decimal number, `NaN` or `Infinity` between blanks; undefined when the text is none. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}

/** Returns the exact integer part of a decimal number of any size, or undefined if it is not finite. */
export function parseIntegerPart(text: string): { readonly whole: bigint; readonly hasFraction: boolean } | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,6}))?$/.exec(text.trim());
  if (!match || !DECIMAL.test(text.trim())) return undefined;
  const [, sign, integral = '', fraction = '', exponent = '0'] = match;
  const digits = integral + fraction;
  const point = integral.length + Number(exponent);
  // Beyond any kind's range: the digits need not be written out.
  if (point > 400)
    return { whole: /[1-9]/.test(digits) ? 10n ** 400n * (sign === '-' ? -1n : 1n) : 0n, hasFraction: false };
  const whole = BigInt(digits.slice(0, Math.max(point, 0)).padEnd(Math.max(point, 1), '0'));
  return { whole: sign === '-' ? -whole : whole, hasFraction: /[1-9]/.test(point < 0 ? digits : digits.slice(point)) };
}
