import { exactInteger } from '../../../json/lossless-json.ts';
import type { ValueReaderMaker } from '../field-spec.ts';
import { invalid, isFalsy } from '../plain-objects.ts';
import { pythonRepr, pythonTypeName } from './python-text.ts';

/** Makes the reader of integers between two bounds: a number where that is exact, bigint beyond. */
export function integerMaker(least: bigint, greatest: bigint): ValueReaderMaker {
  return (content, place) => {
    const { path } = place;
    const minimum = content.minimum === undefined ? least : BigInt(content.minimum);
    // The minimum of a field has the public system's text, which names no range.
    const range = content.minimum === undefined ? ` (${least} to ${greatest})` : '';
    const beyond = (number: number | bigint, bound: string) =>
      invalid(path, `[${path}]: ${number} is ${bound}${range}`);
    return (value) => {
      if (value === null || value === '') {
        if (place.default !== undefined) return place.default;
        if (place.optional && (value === null || !place.emptyRefused)) return undefined;
      }
      const number = readInteger(value, path);
      if (number < minimum) throw beyond(number, `less than minimum value ${minimum}`);
      if (number > greatest) throw beyond(number, `greater than maximum value ${greatest}`);
      return typeof number === 'number' ? number : exactInteger(number);
    };
  };
}

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
/** Longer integers are rejected unread: the conversion takes more than linear time. */
const MAX_DIGITS = 4300;

function readInteger(value: unknown, path: string): number | bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') {
    const whole = Math.trunc(value) + 0;
    // An infinite number fails at a bound.
    return Number.isSafeInteger(whole) || !Number.isFinite(whole) ? whole : BigInt(whole);
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') {
    throw invalid(
      path,
      `[${path}]: int() argument must be a string, a bytes-like object or a real number, not '${pythonTypeName(value)}'`,
    );
  }
  const digits = value.trim();
  if (digits.length > MAX_DIGITS || !INTEGER.test(digits)) {
    throw invalid(path, `[${path}]: invalid literal for int() with base 10: ${pythonRepr(value)}`);
  }
  return BigInt(digits.replaceAll('_', '').replace(/^\+/, ''));
}

const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?$/;
/** Largest finite 32-bit float. */
const GREATEST_FLOAT = 3.4028234663852886e38;

/** 32-bit numbers. Zero is a value; what else stands for nothing is absent or the default. */
export const floatMaker: ValueReaderMaker = (_content, place) => {
  const { path } = place;
  return (value) => {
    if (value === null && place.optional) return undefined;
    let number: number;
    if (typeof value === 'number' || typeof value === 'bigint') number = Number(value);
    else if (isFalsy(value) && place.default !== undefined) return place.default;
    else if (isFalsy(value) && place.optional) return value === false ? 0 : undefined;
    else if (typeof value === 'boolean') number = value ? 1 : 0;
    else if (typeof value !== 'string') {
      throw invalid(
        path,
        `[${path}]: float() argument must be a string or a real number, not '${pythonTypeName(value)}'`,
      );
    } else {
      const digits = value.trim();
      if (!DECIMAL.test(digits)) {
        throw invalid(path, `[${path}]: could not convert string to float: ${pythonRepr(value)}`);
      }
      number = Number(digits.replaceAll('_', ''));
    }
    if (Math.abs(number) > GREATEST_FLOAT) {
      throw invalid(path, `[${path}]: ${pythonRepr(number)} is beyond what a 32-bit number can hold`);
    }
    return number;
  };
};
