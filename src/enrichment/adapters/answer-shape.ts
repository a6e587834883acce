import { isObject } from '../../json/json-object.ts';
import { readTimestamp } from '../models/timestamp.ts';
import { SourceFailure } from '../sources/source-failure.ts';

/**
 * Reads one value of an answer. The parts of an answer are described by shapes, so that an adapter
 * cannot take a value of another type for what it expects.
 * @throws SourceFailure `unusable` with the place of a value that does not fit
 */
export type Shape<T> = (value: unknown, at: string) => T;

/** Maximum number of entries of a list or an object that are read: an answer may have millions. */
const MAX_ENTRIES = 1_000;

/** Reads a whole answer. @throws SourceFailure `unusable` */
export function readAnswer<T>(shape: Shape<T>, answer: unknown): T {
  return shape(answer, '');
}

export const text: Shape<string> = (value, at) => (typeof value === 'string' ? value : unfit(at, 'a string'));

/** A number, also one that is written as a string. */
export const number: Shape<number> = (value, at) => {
  const read = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : unfit(at, 'a number');
};

/** A count: an integer that is not negative. */
export const count: Shape<number> = (value, at) => {
  const read = number(value, at);
  return Number.isSafeInteger(read) && read >= 0 ? read : unfit(at, 'a count');
};

export const flag: Shape<boolean> = (value, at) => (typeof value === 'boolean' ? value : unfit(at, 'true or false'));

/** A time in one of the forms that vendors write, `2024-02-28 09:30:00 UTC` among them. */
export const time: Shape<string> = (value, at) => {
  const written = typeof value === 'string' ? value.trim().replace(/ UTC$/, 'Z') : value;
  return readTimestamp(written) ?? unfit(at, 'a time');
};

export const anything: Shape<unknown> = (value) => value;

/** A list; an absent one does not fit. */
export function list<T>(of: Shape<T>): Shape<readonly T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.slice(0, MAX_ENTRIES).map((one, index) => of(one, `${at}[${index}]`))
      : unfit(at, 'a list');
}

/** A list of which entries that do not fit are left out; empty when it is absent. */
export function some<T>(of: Shape<T>): Shape<readonly T[]> {
  return (value, at) => (Array.isArray(value) ? list(maybe(of))(value, at).filter((one) => one !== undefined) : []);
}

/**
 * A value that may be absent. One that does not fit counts as absent: only what a verdict needs is
 * required.
 */
export function maybe<T>(of: Shape<T>): Shape<T | undefined> {
  return (value, at) => {
    if (value === undefined || value === null) return undefined;
    try {
      return of(value, at);
    } catch (error) {
      if (error instanceof SourceFailure) return undefined;
      throw error;
    }
  };
}

type Fields = Readonly<Record<string, Shape<unknown>>>;
type ReadFields<T extends Fields> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

/** An object with these fields; it may have others. */
export function record<T extends Fields>(fields: T): Shape<ReadFields<T>> {
  return (value, at) => {
    if (!isObject(value)) return unfit(at, 'an object');
    const read = Object.entries(fields).map(([name, shape]) => [
      name,
      shape(Object.hasOwn(value, name) ? value[name] : undefined, at === '' ? name : `${at}.${name}`),
    ]);
    return Object.fromEntries(read) as ReadFields<T>;
  };
}

/** The names and values of an object; values that do not fit are left out. */
export function entries<T>(of: Shape<T>): Shape<readonly (readonly [string, T])[]> {
  return (value, at) => {
    if (!isObject(value)) return unfit(at, 'an object');
    const pairs = Object.entries(value).slice(0, MAX_ENTRIES);
    return pairs.flatMap(([name, one]) => {
      const read = maybe(of)(one, `${at}.${name}`);
      return read === undefined ? [] : [[name, read] as const];
    });
  };
}

function unfit(at: string, expected: string): never {
  throw new SourceFailure('unusable', `${at === '' ? 'the answer' : `"${at}" of the answer`} is not ${expected}`);
}
