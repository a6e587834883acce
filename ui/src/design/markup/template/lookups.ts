/**
 * Returns a member that an object has itself: nothing of its prototype is ever reached from a
 * template.
 */
export function member(value: unknown, key: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return key === 'length' ? value.length : undefined;
  if (typeof value !== 'object') return undefined;
  const descriptor = Object.getOwnPropertyDescriptor(value, key);
  return descriptor === undefined || typeof descriptor.value === 'function' ? undefined : descriptor.value;
}

/** Returns the value at a dotted path, also one with `a[0].b`, or of a key that has dots itself. */
export function atPath(value: unknown, path: string): unknown {
  const direct = member(value, path);
  if (direct !== undefined) return direct;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.length > 64 ? undefined : keys.reduce<unknown>(member, value);
}

/** Returns the string form of a value, as `{{value}}` writes it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'object' ? jsonOf(value) : String(value);
}

export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A record that holds itself.
    return '…';
  }
}

/** Returns what `if` takes for no: as in Handlebars, also an empty list. */
export function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}
