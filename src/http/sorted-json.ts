/** JSON text with the keys of every object in alphabetical order, as the public services answer. */
export function sortedJson(value: unknown): string {
  return write(value) ?? 'null';
}

/** Characters that JSON strings escape; lone surrogates are left to JSON.stringify. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Undefined for what JSON cannot hold: undefined, functions, symbols. */
function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `${value}`;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return writeList(value);
      return writeObject(value);
    default:
      return undefined;
  }
}

function writeString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function writeList(items: readonly unknown[]): string {
  if (items.length === 0) return '[]';
  let text = `[${write(items[0]) ?? 'null'}`;
  for (let index = 1; index < items.length; index += 1) text += `,${write(items[index]) ?? 'null'}`;
  return `${text}]`;
}

function writeObject(value: object): string {
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON()) ?? 'null';
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  sortKeys(keys);
  let text = '';
  for (const key of keys) {
    const member = write(members[key]);
    if (member === undefined) continue;
    text += text === '' ? `${writeString(key)}:${member}` : `,${writeString(key)}:${member}`;
  }
  return `{${text}}`;
}

/** Insertion sort: most objects are small, or in order already, where `Array.sort` costs several times as much. */
function sortKeys(keys: string[]): void {
  if (keys.length > 40) {
    keys.sort();
    return;
  }
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    let position = index - 1;
    while (position >= 0 && (keys[position] as string) > key) {
      keys[position + 1] = keys[position] as string;
      position -= 1;
    }
    keys[position + 1] = key;
  }
}
