/** An object in the sense of JSON: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const RESERVED_KEYS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/**
 * Returns whether a name means something on every object, such as `constructor`.
 * Names that become keys of records must not.
 */
export function isReservedKey(name: string): boolean {
  return RESERVED_KEYS.has(name);
}

/**
 * Sets a member as assignment does, for any name:
 * `__proto__` becomes a member like any other. Returns the value.
 */
export function setOwn<T>(target: Record<string, unknown>, name: string, value: T): T {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else target[name] = value;
  return value;
}

/** Returns whether an object has no members. */
export function isEmptyObject(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** Returns whether two values are the same JSON with members in the same order. Null equals undefined. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

/** Compares two lists as sets: order and repetitions do not count. False unless both are lists. */
export function isSameSet(left: unknown, right: unknown): boolean {
  return Array.isArray(left) && Array.isArray(right) && new Set(left).symmetricDifference(new Set(right)).size === 0;
}
