/** Writes JSON as Python's `json.dumps` does: with blanks behind separators, in ASCII. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, item]) => `${pythonJson(name)}: ${pythonJson(item)}`);
    return `{${members.join(', ')}}`;
  }
  if (typeof value === 'bigint') return String(value);
  return (JSON.stringify(value) ?? 'null').replaceAll(/[\u007f-\uffff]/g, escaped);
}

function escaped(unit: string): string {
  return unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
