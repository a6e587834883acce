export { isObject as isRecord } from '../../json/json-object.ts';

/** Returns the record without the fields that are undefined, which answers leave out. */
export function present<T extends object>(record: T): T {
  const result: Partial<T> = {};
  for (const key in record) if (record[key] !== undefined) result[key] = record[key];
  return result as T;
}
