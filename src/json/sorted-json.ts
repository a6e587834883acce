import './lossless-json.ts';

/** A value with its JSON text, for answers that are sent repeatedly. */
export class PreparedJson {
  readonly text: string;

  /**
   * @param text JSON of the value; default: with sorted keys. Another one keeps an order of keys
   * that means something
   */
  constructor(value: unknown, text = sortedJson(value)) {
    this.text = text;
  }
}

/**
 * JSON text with the keys of every object in alphabetical order, as the public services answer. A copy
 * in that order and `JSON.stringify` take half the time of `write`, which is for what no copy can order or hold.
 */
export function sortedJson(value: unknown): string {
  const ordered = inOrder(value);
  return ordered === IRREGULAR ? (write(value) ?? 'null') : (JSON.stringify(ordered) ?? 'null');
}

/** Instead of a copy of something that `JSON.stringify` would not write as it has to be. */
const IRREGULAR = Symbol('irregular');

/**
 * Returns the value with sorted keys, or `IRREGULAR` if no object can hold that order.
 * Irregular values contain serialized JSON, or keys that objects enumerate in their own order. A value that is already
 * sorted, the usual case, is not copied.
 */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return listInOrder(value);
  if (value instanceof PreparedJson) return IRREGULAR;
  if ('toJSON' in value && typeof value.toJSON === 'function') return inOrder(value.toJSON());
  return objectInOrder(value as Readonly<Record<string, unknown>>);
}

function listInOrder(list: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const ordered = inOrder(item);
    if (ordered === IRREGULAR) return IRREGULAR;
    if (ordered !== item) copy ??= list.slice();
    if (copy !== undefined) copy[index] = ordered;
  }
  return copy ?? list;
}

function objectInOrder(object: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(object);
  const copied = (): unknown[] => keys.map((key) => object[key]);
  let members = sortKeys(keys) ? copied() : undefined;
  for (let index = 0; index < keys.length; index += 1) {
    const member = object[keys[index] as string];
    const ordered = inOrder(member);
    if (ordered === IRREGULAR) return IRREGULAR;
    if (ordered !== member) members ??= copied();
    if (members !== undefined) members[index] = ordered;
  }
  if (members === undefined) return object;
  // A copy of them would have an order of its own again.
  if (keys.some(isOwnOrder)) return IRREGULAR;
  const copy: Record<string, unknown> = {};
  for (let index = 0; index < keys.length; index += 1) copy[keys[index] as string] = members[index];
  return copy;
}

/** Keys that may be array indices, of at most ten digits. Hashes may begin with digits. */
const INDEX = /^\d{1,10}$/;

/** Returns true for keys that objects enumerate first (`7`) or do not accept (`__proto__`). */
function isOwnOrder(key: string): boolean {
  return key === '__proto__' || (key.length <= 10 && INDEX.test(key));
}

/** Undefined for what JSON cannot hold: undefined, functions, symbols. */
function write(value: unknown): string | undefined {
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'boolean') return `${value}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof PreparedJson) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON()) ?? 'null';
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  sortKeys(keys);
  let text = '';
  for (const key of keys) {
    const member = write(members[key]);
    if (member !== undefined) text += text === '' ? keyText(key) + member : `,${keyText(key)}${member}`;
  }
  return `{${text}}`;
}

/**
 * Sorts by insertion and returns whether anything moved: most objects are small or in order already,
 * where `Array.sort` costs several times as much.
 */
function sortKeys(keys: string[]): boolean {
  let moved = false;
  for (let index = 1; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if ((keys[index - 1] as string) <= key) continue;
    if (keys.length > 40) {
      keys.sort();
      return true;
    }
    moved = true;
    let position = index - 1;
    while (position >= 0 && (keys[position] as string) > key) {
      keys[position + 1] = keys[position] as string;
      position -= 1;
    }
    keys[position + 1] = key;
  }
  return moved;
}

/** Caches `"key":` for the first keys seen. Bounded, because callers choose keys. */
const KEY_TEXTS = new Map<string, string>();
const MAX_KEY_TEXTS = 5_000;

function keyText(key: string): string {
  const known = KEY_TEXTS.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (KEY_TEXTS.size < MAX_KEY_TEXTS) KEY_TEXTS.set(key, text);
  return text;
}
