import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createDeflate, createInflate } from 'node:zlib';
import { InvalidInput } from '../../errors/errors.ts';
import { rejectImpossible } from '../../json/json-limits.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import type { ByteSource } from './byte-source.ts';
import { Rc4 } from './rc4.ts';

/** Start of the files of CaRT version 1. */
export const CART_MAGIC = Buffer.from('CART');
const TRAC_MAGIC = Buffer.from('TRAC');
const VERSION = 1;
/** The digits of pi, twice: the key of files that are to be readable by every program. */
const DEFAULT_KEY = Buffer.from('03010401050902060301040105090206', 'hex');
/** Magic, version, reserved, key, length of the optional header. */
const HEADER_LENGTH = 4 + 2 + 8 + 16 + 8;
/** Magic, reserved, position and length of the optional footer. */
const FOOTER_LENGTH = 4 + 8 + 8 + 8;
/** Bytes of the JSON in header and footer. */
const MAX_JSON_LENGTH = 1 << 20;

type CartMembers = Readonly<Record<string, unknown>>;

/** Header, footer and place of the content of a CaRT. */
export interface Cart {
  readonly header: CartMembers;
  readonly footer: CartMembers;
  readonly key: Uint8Array;
  /** The encrypted content. */
  readonly body: { readonly offset: number; readonly length: number };
}

/**
 * Packs content into a CaRT of version 1, with its length and hashes in the footer.
 * @param header members of the optional header, such as `name`; none: the CaRT has no header
 * @throws errors of the content's source
 */
export async function* packCart(content: AsyncIterable<Uint8Array>, header: CartMembers): AsyncIterable<Uint8Array> {
  const headerText = Object.keys(header).length === 0 ? Buffer.alloc(0) : encryptedJson(header);
  const start = Buffer.alloc(HEADER_LENGTH);
  CART_MAGIC.copy(start);
  start.writeInt16LE(VERSION, 4);
  DEFAULT_KEY.copy(start, 14);
  start.writeBigUInt64LE(BigInt(headerText.length), 30);
  yield start;
  yield headerText;
  let position = start.length + headerText.length;

  const digests = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
  let length = 0;
  async function* digested(): AsyncIterable<Uint8Array> {
    for await (const chunk of content) {
      for (const digest of Object.values(digests)) digest.update(chunk);
      length += chunk.byteLength;
      yield chunk;
    }
  }
  const cipher = new Rc4(DEFAULT_KEY);
  for await (const chunk of pipeline(Readable.from(digested()), createDeflate({ level: 1 }), () => undefined)) {
    const encrypted = cipher.apply(chunk as Buffer);
    position += encrypted.length;
    yield encrypted;
  }

  const hashes = Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, digest.digest('hex')]));
  const footerText = encryptedJson({ length: String(length), ...hashes });
  const end = Buffer.alloc(FOOTER_LENGTH);
  TRAC_MAGIC.copy(end);
  end.writeBigUInt64LE(BigInt(position), 12);
  end.writeBigUInt64LE(BigInt(footerText.length), 20);
  yield Buffer.concat([footerText, end]);
}

/**
 * Reads header and footer of a CaRT.
 * @throws InvalidInput `invalid_cart`
 */
export async function readCart(source: ByteSource): Promise<Cart> {
  if (source.size < HEADER_LENGTH + FOOTER_LENGTH) throw invalidCart('is cut off');
  const start = await source.read(0, HEADER_LENGTH);
  if (!start.subarray(0, 4).equals(CART_MAGIC)) throw invalidCart('has no header');
  if (start.readInt16LE(4) !== VERSION) throw invalidCart('is not of version 1');
  const key = start.subarray(14, 30);
  const headerLength = Number(start.readBigUInt64LE(30));
  const header = await decryptedJson(source, HEADER_LENGTH, headerLength, key, 'header');

  const end = await source.read(source.size - FOOTER_LENGTH, FOOTER_LENGTH);
  if (!end.subarray(0, 4).equals(TRAC_MAGIC)) throw invalidCart('is cut off: it has no footer');
  const footerOffset = Number(end.readBigUInt64LE(12));
  const footerLength = Number(end.readBigUInt64LE(20));
  const offset = HEADER_LENGTH + headerLength;
  if (footerOffset < offset || footerOffset + footerLength + FOOTER_LENGTH !== source.size) {
    throw invalidCart('has a footer in another place than it says');
  }
  const footer = await decryptedJson(source, footerOffset, footerLength, key, 'footer');
  return { header, footer, key, body: { offset, length: footerOffset - offset } };
}

/**
 * Decrypts and decompresses the body of a CaRT.
 * @param body bytes of `cart.body`, which are overwritten
 * @throws InvalidInput `invalid_cart`; errors of the body's source
 */
export async function* unpackCart(cart: Cart, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const cipher = new Rc4(cart.key);
  async function* decrypted(): AsyncIterable<Uint8Array> {
    for await (const chunk of body) yield cipher.apply(chunk);
  }
  try {
    yield* pipeline(Readable.from(decrypted()), createInflate(), () => undefined);
  } catch (error) {
    const isOfContent = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isOfContent ? invalidCart('has content that cannot be decompressed', error) : error;
  }
}

/** Returns the file type that a header states for its content, such as `archive/bundle/al`. */
export function statedKind(header: CartMembers): string | undefined {
  const { al } = header;
  const kind = typeof al === 'object' && al !== null && 'type' in al ? al.type : undefined;
  return typeof kind === 'string' && kind !== '' ? kind : undefined;
}

function encryptedJson(members: CartMembers): Uint8Array {
  return new Rc4(DEFAULT_KEY).apply(Buffer.from(sortedJson(members)));
}

async function decryptedJson(
  source: ByteSource,
  offset: number,
  length: number,
  key: Uint8Array,
  part: string,
): Promise<CartMembers> {
  if (length === 0) return {};
  if (length > MAX_JSON_LENGTH) throw invalidCart(`has a ${part} of more than ${MAX_JSON_LENGTH} bytes`);
  const encrypted = Buffer.from(await source.read(offset, length));
  try {
    const value: unknown = JSON.parse(Buffer.from(new Rc4(key).apply(encrypted)).toString());
    rejectImpossible(value);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as CartMembers;
  } catch (error) {
    throw invalidCart(`has a ${part} that cannot be read`, error);
  }
  throw invalidCart(`has a ${part} that is not a JSON object`);
}

function invalidCart(problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_cart', `The CaRT ${problem}. Pack the file again.`, { cause });
}
