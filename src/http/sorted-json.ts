/** A value that was written already: `sortedJson` takes its text over. For answers that are given again and again. */
export class PreparedJson {
  readonly text: string;

  constructor(value: unknown) {
    this.text = sortedJson(value);
  }
}

/** JSON text with the keys of every object in alphabetical order, as the public services answer. */
export function sortedJson(value: unknown): string {
  return write(value) ?? 'null';
}

/** Undefined for what JSON cannot hold: undefined, functions, symbols. */
function write(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return `${value}`;
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return writeList(value);
      return value instanceof PreparedJson ? value.text : writeObject(value);
    default:
      return undefined;
  }
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
    text += text === '' ? keyText(key) + member : `,${keyText(key)}${member}`;
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

/** Keys come again and again: `"key":` is kept for the first ones seen. Bounded, because callers can make keys up. */
const KEY_TEXTS = new Map<string, string>();
const MAX_KEY_TEXTS = 5_000;

function keyText(key: string): string {
  const known = KEY_TEXTS.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (KEY_TEXTS.size < MAX_KEY_TEXTS) KEY_TEXTS.set(key, text);
  return text;
}
