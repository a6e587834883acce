/** Returns whether two values are the same: by content for arrays and plain objects. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  const others = new Map(Object.entries(other));
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSameValue(value, others.get(key)))
  );
}

/**
 * Returns whether a record holds the same with either value. Absent, null and empty values are the
 * same, at any depth: services leave empty members out of their answers.
 */
export function isSameStored(one: unknown, other: unknown): boolean {
  return isSameValue(filled(one), filled(other));
}

/** Returns a value without its empty members; null for an empty one. */
function filled(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(filled);
  const members = Object.entries(value)
    .map(([name, member]) => [name, filled(member)] as const)
    .filter(([, member]) => member !== null);
  return members.length === 0 ? null : Object.fromEntries(members);
}
