/** An object in the sense of JSON: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has no members. */
export function isEmptyObject(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
