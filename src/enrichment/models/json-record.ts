/** Returns true for an object of JSON that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the record without the fields that are undefined, which answers leave out. */
export function present<T extends object>(record: T): T {
  const result: Partial<T> = {};
  for (const key in record) if (record[key] !== undefined) result[key] = record[key];
  return result as T;
}
