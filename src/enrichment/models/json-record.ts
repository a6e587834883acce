export { isObject as isRecord } from '../../json/json-object.ts';

/** Returns the record without the fields that are undefined, which answers leave out. */
export function present<T extends object>(record: T): T {
  const result: Partial<T> = {};
  for (const key in record) if (record[key] !== undefined) result[key] = record[key];
  return result as T;
}

/**
 * Returns `present` for records that all have the same fields, with these in alphabetical order:
 * what is in the order of answers already is not copied once more for them.
 */
export function sortedPresent<T extends object>(): (record: T) => T {
  let keys: readonly (keyof T)[] | undefined;
  return (record) => {
    keys ??= (Object.keys(record) as (keyof T)[]).sort();
    const result: Partial<T> = {};
    for (const key of keys) if (record[key] !== undefined) result[key] = record[key];
    return result as T;
  };
}
