import { isObject, isSameJson, setOwn } from '../../documents/schema/plain-objects.ts';

/** Values by name, with values by name in them. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns `base` with the values of `changes`, object by object; others replace. Shares neither. */
export function mergeValues(base: Values, changes: Values): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    setOwn(merged, name, isObject(value) ? mergeValues(isObject(below) ? below : {}, value) : value);
  }
  return merged;
}

/** Returns the values of `changed` that differ from `base`, object by object. */
export function differingValues(base: Values, changed: Values): Record<string, unknown> {
  const differing: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(changed)) {
    const usual = Object.hasOwn(base, name) ? base[name] : undefined;
    if (isObject(usual) && isObject(value)) {
      const inner = differingValues(usual, value);
      if (Object.keys(inner).length > 0) setOwn(differing, name, inner);
    } else if (usual === undefined || !isSameJson(usual, value)) setOwn(differing, name, value);
  }
  return differing;
}

/** Returns values without nulls, at every depth. */
export function withoutNulls(values: Values): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue;
    setOwn(kept, name, isObject(value) ? withoutNulls(value) : value);
  }
  return kept;
}

/** Returns values by dotted name: `{a: {b: 1}}` gives `a.b`. */
export function flattenValues(values: Values, prefix = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (isObject(value)) Object.assign(flat, flattenValues(value, path));
    else setOwn(flat, path, value);
  }
  return flat;
}
