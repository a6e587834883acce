/**
 * The text forms of Python in which the keys of results are hashed.
 * Keys only have to be stable, but those of a public system are found again when its documents are used.
 */

/** Returns JSON as `json.dumps` writes it: `", "` and `": "` as separators, ASCII alone. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'string') return asciiString(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(([key, member]) => `${asciiString(key)}: ${pythonJson(member)}`);
  return `{${members.join(', ')}}`;
}

function asciiString(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const ESCAPES: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' };

/** Returns bytes as `str()` writes a bytes object: `b'<text>'`. */
export function pythonBytes(bytes: Uint8Array): string {
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (character === quote) text += `\\${character}`;
    else if (byte in ESCAPES) text += ESCAPES[byte];
    else if (byte < 32 || byte > 126) text += `\\x${byte.toString(16).padStart(2, '0')}`;
    else text += character;
  }
  return `b${quote}${text}${quote}`;
}
