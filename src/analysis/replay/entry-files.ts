import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { rejectImpossible } from '../../json/json-limits.ts';
import { packCart, readCart, unpackCart } from '../formats/cart.ts';

/** Kinds of entries, with the time by which they are found and the field that names them. */
export const ENTRY_TIMES: Readonly<Record<string, string>> = {
  badlist: 'updated',
  safelist: 'updated',
  signature: 'last_modified',
  workflow: 'last_edit',
};
const PACKED = '.al_json.cart';
const PLAIN = '.al_json';
/** Bytes of a file, packed or not. */
const MAX_BYTES = 64 << 20;

/** An entry as its installation stores it, with `id`. */
export type Entry = Readonly<Record<string, unknown>>;

/** Returns whether a file has entries, by its name. */
export function hasEntries(name: string): boolean {
  return name.endsWith(PACKED) || name.endsWith(PLAIN);
}

/** Writes a file of entries, whose name begins with their kind. Returns the name. */
export async function writeEntries(
  folder: string,
  type: string,
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<string> {
  // Times of the public system have microseconds.
  const digits = String(Math.floor(Math.random() * 1000)).padStart(3, '0');
  const name = `${type}_${new Date().toISOString().replace('Z', `${digits}Z`)}${PACKED}`;
  const unfinished = join(folder, `.${name}.part`);
  try {
    const text = Buffer.from(JSON.stringify(entries));
    const content = (async function* () {
      yield text;
    })();
    await pipeline(packCart(content, {}), createWriteStream(unfinished), { signal });
    await rename(unfinished, join(folder, name));
  } finally {
    await rm(unfinished, { force: true });
  }
  return name;
}

/** Returns the entries of a file and their kind. @throws Error with the reason when it is no such file */
export async function readEntries(
  path: string,
): Promise<{ readonly type: string; readonly entries: readonly Entry[] }> {
  const name = basename(path);
  const type = name.split('_', 1)[0] ?? '';
  if (!Object.hasOwn(ENTRY_TIMES, type)) {
    throw new Error(`its name must begin with one of ${Object.keys(ENTRY_TIMES).join(', ')} and an underscore`);
  }
  const text = await limitedText(name.endsWith(PACKED) ? unpacked(path) : createReadStream(path));
  const entries: unknown = JSON.parse(text);
  rejectImpossible(entries);
  if (!Array.isArray(entries) || !entries.every(isObject)) throw new Error('it is not a list of entries');
  return { type, entries };
}

async function* unpacked(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(length, size)), 0, undefined, offset);
      return buffer.subarray(0, bytesRead);
    };
    const cart = await readCart({ size, read });
    const { offset, length } = cart.body;
    if (length === 0) throw new Error('it is empty');
    const body = file.createReadStream({ start: offset, end: offset + length - 1, autoClose: false });
    yield* unpackCart(cart, body);
  } finally {
    await file.close();
  }
}

async function limitedText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
