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
