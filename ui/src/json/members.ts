/** Reads JSON documents whose shape is not known in advance: records, answers that no schema describes. */

/** Keys of a path; no document is that deep. */
const MAX_DEPTH = 64;

/** Returns a member that an object has itself, never one of its prototype; of a string its `length`. */
export function memberOf(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return name === 'length' ? value.length : undefined;
  if (typeof value !== 'object') return undefined;
  const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof member === 'function' ? undefined : member;
}

/** Returns the value at a dotted path, also one with `a[0].b`; keys at any depth may have dots. */
export function valueAt(value: unknown, path: string): unknown {
  const direct = memberOf(value, path);
  if (direct !== undefined) return direct;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  if (keys.length > MAX_DEPTH) return undefined;
  let found = value;
  for (const [depth, key] of keys.entries()) {
    const flattened = depth === 0 ? undefined : memberOf(found, keys.slice(depth).join('.'));
    if (flattened !== undefined) return flattened;
    found = memberOf(found, key);
  }
  return found;
}

/** Returns a member that is a string or a number as a string; an empty one for everything else. */
export function stringMember(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' || typeof member === 'number' ? String(member) : '';
}

export function numberMember(value: unknown, name: string): number {
  const member = memberOf(value, name);
  return typeof member === 'number' && Number.isFinite(member) ? member : 0;
}

export function listMember(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

export function entriesMember(value: unknown, name: string): [string, unknown][] {
  const member = memberOf(value, name);
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? Object.entries(member) : [];
}

/** Returns a value as a string for people: nothing for null, JSON for objects and lists. */
export function plainString(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
