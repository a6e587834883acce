/**
 * Formats values like Python, as values of a keyword that are not strings are stored and errors show
 * them, so that documents do not depend on the program that wrote them.
 */

/** Name of the type of a JSON value: str, int, float, bool, list, dict, NoneType. */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int' : 'float';
  return Array.isArray(value) ? 'list' : 'dict';
}

/** Formats a value like Python's `str(value)`. Nesting must be bounded (`nestingExceeds`). */
export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Formats a value like Python's `repr(value)`. Nesting must be bounded (`nestingExceeds`). */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${pythonRepr(item)}`)
    .join(', ')}}`;
}

function numberText(value: number): string {
  const size = Math.abs(value);
  // Integers beyond 2^53 are bigint: a number of this size is a float.
  if (Number.isFinite(value) && size > Number.MAX_SAFE_INTEGER) return value.toExponential();
  if (size >= 1e-4 || value === 0) return String(value);
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return `${digits}e-${exponent.slice(1).padStart(2, '0')}`;
}

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === quote) out += `\\${character}`;
    else if (NAMED[character] !== undefined) out += NAMED[character];
    else if (code < 0x20 || (code >= 0x7f && code < 0xa1)) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else out += character;
  }
  return out + quote;
}
