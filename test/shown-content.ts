import { gunzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { sourceOfBytes } from '../src/analysis/formats/byte-source.ts';
import { CART_MAGIC, readCart, unpackCart } from '../src/analysis/formats/cart.ts';

/** Returns all text that an answer holds, also inside CaRT, gzip and zip, by which files are sent. */
export async function shownContent(bytes: Uint8Array): Promise<string> {
  const begin = Buffer.from(bytes.subarray(0, 4));
  const text = Buffer.from(bytes).toString('latin1');
  if (begin.equals(CART_MAGIC)) return `${text}${await contentOfCart(bytes)}`;
  if (begin[0] === 0x1f && begin[1] === 0x8b) return `${text}${await shownContent(gunzipSync(bytes))}`;
  if (begin.toString('latin1') === 'PK\u0003\u0004') return `${text}${await contentOfZip(bytes)}`;
  return text;
}

async function contentOfCart(bytes: Uint8Array): Promise<string> {
  const cart = await readCart(sourceOfBytes(bytes));
  const body = (async function* () {
    yield bytes.subarray(cart.body.offset, cart.body.offset + cart.body.length);
  })();
  const parts: Uint8Array[] = [];
  for await (const part of unpackCart(cart, body)) parts.push(part);
  return `${JSON.stringify(cart.header)}${await shownContent(Buffer.concat(parts))}`;
}

async function contentOfZip(bytes: Uint8Array): Promise<string> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { password: 'infected' });
  const texts = (await reader.getEntries()).map(async (entry) =>
    'getData' in entry && entry.getData !== undefined
      ? `${entry.filename}${await shownContent(await entry.getData(new Uint8ArrayWriter()))}`
      : entry.filename,
  );
  return (await Promise.all(texts)).join('');
}
