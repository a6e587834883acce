import { pythonRepr, pythonTypeName } from './python-text.ts';
import { invalid, isFalsy, type ValueReaderMaker } from './value-reading.ts';

/** Whole numbers between two bounds. */
export function integerMaker(least: bigint, greatest: bigint): ValueReaderMaker {
  return (content, place) => {
    const { path } = place;
    const minimum = content.minimum === undefined ? least : BigInt(content.minimum);
    return (value) => {
      if (value === null || value === '') {
        if (place.default !== undefined) return place.default;
        if (place.optional && (value === null || !place.emptyRefused)) return undefined;
      }
      const number = integer(value, path);
      if (number < minimum) throw invalid(path, `[${path}]: ${number} is less than minimum value ${minimum}`);
      if (number > greatest) throw invalid(path, `[${path}]: ${number} is greater than maximum value ${greatest}`);
      if (typeof number === 'number') return number;
      const exact = Number(number);
      return Number.isSafeInteger(exact) ? exact : String(number);
    };
  };
}

const WHOLE_NUMBER = /^[+-]?\d+(?:_\d+)*$/;
/** Longer ones are refused unread: turning digits into a number takes more than linear time. */
const MAX_DIGITS = 4300;

function integer(value: unknown, path: string): number | bigint {
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') {
    throw invalid(
      path,
      `[${path}]: int() argument must be a string, a bytes-like object or a real number, not '${pythonTypeName(value)}'`,
    );
  }
  const digits = value.trim();
  if (digits.length > MAX_DIGITS || !WHOLE_NUMBER.test(digits)) {
    throw invalid(path, `[${path}]: invalid literal for int() with base 10: ${pythonRepr(value)}`);
  }
  const number = BigInt(digits.replaceAll('_', '').replace(/^\+/, ''));
  return number;
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
    if (typeof value === 'number') number = value;
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
