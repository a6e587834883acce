import { InvalidInput } from '../../errors/errors.ts';

export { isObject } from '../../json/json-object.ts';

const RESERVED_KEYS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Returns whether a name means something on every object, as `constructor` does: no key of a record. */
export function isReservedKey(name: string): boolean {
  return RESERVED_KEYS.has(name);
}

/** Sets a member as assignment does, `__proto__` included, and returns the value. */
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

/** Returns the value of a document at a dotted path, if any. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** Returns the values at dotted paths, which blanks and line breaks separate, by path. */
export function valuesAt(document: unknown, paths: string): Readonly<Record<string, unknown>> {
  const names = paths.trim().split(/\s+/);
  return Object.fromEntries(names.map((path) => [path, valueAt(document, path)]));
}

/** Returns whether a value is nothing in Python: null, false, zero, or empty. */
export function isFalsy(value: unknown): boolean {
  return !value || (typeof value === 'object' && isEmptyObject(value));
}

/** Returns whether two values are the same JSON with members in the same order. Null equals undefined. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

/** Compares two lists as sets: order and repetitions do not count. False unless both are lists. */
export function isSameSet(left: unknown, right: unknown): boolean {
  return Array.isArray(left) && Array.isArray(right) && new Set(left).symmetricDifference(new Set(right)).size === 0;
}

/** Objects and lists may lie this deep inside each other where the definition does not bound it. */
const DEEPEST_NESTING = 100;

/** @throws InvalidInput `invalid_document`, for nesting that could exhaust the stack */
export function boundNesting(value: unknown, path: string): void {
  if (nestingExceeds(value, DEEPEST_NESTING)) {
    throw invalid(path, `[${path}]: Objects and lists lie more than ${DEEPEST_NESTING} deep inside each other.`);
  }
}

/** Returns whether objects and lists are nested deeper than `limit`, without recursion. */
export function nestingExceeds(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const inner of Object.values(item)) if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}

/** Returns the error for a value that a document cannot have. */
export function invalid(path: string, message: string): InvalidInput {
  return new InvalidInput('invalid_document', message, { at: path });
}
