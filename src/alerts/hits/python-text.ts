/**
 * Texts that the public system makes with Python's `repr` and `json.dumps`, and that its clients keep or compare: hashes of alerts,
 * raw records, values in log entries.
 */

/** `json.dumps(value)`: separators `, ` and `: `, everything outside ASCII escaped; `sortKeys` orders keys by code point. */
export function pythonJson(value: unknown, options: { readonly sortKeys?: boolean } = {}): string {
  switch (typeof value) {
    case 'string':
      return asciiString(value);
    case 'number':
      return pythonNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object': {
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, options)).join(', ')}]`;
      const members = Object.entries(value);
      if (options.sortKeys) members.sort(([left], [right]) => compareCodePoints(left, right));
      return `{${members.map(([key, member]) => `${asciiString(key)}: ${pythonJson(member, options)}`).join(', ')}}`;
    }
    default:
      return 'null';
  }
}

/** `repr(value)` of what JSON can hold. */
export function pythonRepr(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return pythonNumber(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'object': {
      if (value === null) return 'None';
      if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
      return `{${Object.entries(value)
        .map(([key, member]) => `${quoted(key)}: ${pythonRepr(member)}`)
        .join(', ')}}`;
    }
    default:
      return 'None';
  }
}

/** `str(value)`: as `repr`, but text stays as it is. */
export function pythonString(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Whole numbers are integers: JSON text that says `1.0` cannot be told from `1` once it is read. */
function pythonNumber(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  // Python writes the shortest digits too, but turns to an exponent below 1e-4 and gives it two digits.
  const [digits = '0', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4) return `${value}`;
  return `${digits}e-${String(-power).padStart(2, '0')}`;
}

const ASCII_ESCAPES = /["\\\u0000-\u001f\u007f-\uffff]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u007f': '\u007f',
};

function asciiString(text: string): string {
  return `"${text.replace(ASCII_ESCAPES, (unit) => SHORT_ESCAPES[unit] ?? `\\u${hex(unit, 4)}`)}"`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let result = quote;
  for (const character of text) {
    if (character === quote || character === '\\') result += `\\${character}`;
    else if (character === '\n') result += '\\n';
    else if (character === '\r') result += '\\r';
    else if (character === '\t') result += '\\t';
    else if (character < ' ' || character === '\u007f') result += `\\x${hex(character, 2)}`;
    else result += character;
  }
  return result + quote;
}

function hex(unit: string, width: number): string {
  return unit.charCodeAt(0).toString(16).padStart(width, '0');
}

function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.codePointAt(index) ?? 0;
    const b = right.codePointAt(index) ?? 0;
    if (a !== b) return a - b;
  }
  return left.length - right.length;
}
