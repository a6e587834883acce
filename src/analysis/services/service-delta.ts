import { isDeepStrictEqual } from 'node:util';
import { isObject, setOwn } from '../../documents/schema/plain-objects.ts';

type Plain = Readonly<Record<string, unknown>>;

/** Members whose values are replaced one by one, and not merged further. */
const SHALLOW: ReadonlySet<string> = new Set(['config']);

/** Returns `document` with the changes of `delta` in it, merged at every depth; lists are replaced. */
export function mergeDelta(document: Plain, delta: Plain): Record<string, unknown> {
  return merge(document, delta, true);
}

/** Returns what has to change in `defaults` to become `changed`; what `changed` leaves out stays. */
export function deltaBetween(defaults: Plain, changed: Plain): Record<string, unknown> {
  return difference(defaults, changed, true);
}

function merge(into: Plain, changes: Plain, isDeep: boolean): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined) continue;
    const before = merged[key];
    const isMerged = isDeep && isObject(value);
    setOwn(merged, key, isMerged ? merge(isObject(before) ? before : {}, value, !SHALLOW.has(key)) : value);
  }
  return merged;
}

function difference(before: Plain, after: Plain, isDeep: boolean): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (isDeep && isObject(old) && isObject(value)) {
      const inner = difference(old, value, !SHALLOW.has(key));
      if (Object.keys(inner).length > 0) setOwn(found, key, inner);
    } else if (!isDeepStrictEqual(old ?? null, value ?? null)) setOwn(found, key, value);
  }
  return found;
}
