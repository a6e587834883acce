import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { encryptZip, type ZipKeys, zipKeys } from './zip-cipher.ts';

/** Encrypts a chunk, whose memory it may take, and advances the keys. */
export type ZipEncryption = (chunk: Uint8Array<ArrayBuffer>, keys: ZipKeys) => Promise<Uint8Array>;

export interface ZipMember {
  readonly name: string;
  readonly password: string;
  /** Bytes of the content; it decides which form of lengths the archive has. */
  readonly size: number;
  /** Default: at once. */
  readonly encrypt?: ZipEncryption;
}

/** Bytes of compressed content that are encrypted at a time. */
const CHUNK = 256 * 1024;
/** From here on lengths take eight bytes: compression may make content a little longer. */
const LONG_SIZE = 0xf000_0000;
const MAX_UINT32 = 0xffff_ffff;
/** Encrypted; lengths follow the content; names are UTF-8. */
const FLAGS = 0b1000_0000_1001;
const DEFLATE = 8;
/** 1980-01-01: archives of the same content have the same times. */
const DATE = 0b10_0001;
const ENCRYPTION_HEADER = 12;

/**
 * Packs content into a zip archive of one member, encrypted in the old way that every program reads
 * (ZipCrypto), which keeps scanners from opening it and hides nothing.
 * @throws errors of the content's source
 */
export async function* encryptedZip(
  content: AsyncIterable<Uint8Array>,
  { name, password, size, encrypt = encryptAtOnce }: ZipMember,
): AsyncIterable<Uint8Array> {
  const isLong = size >= LONG_SIZE;
  const totals = { crc: 0, size: 0, packed: ENCRYPTION_HEADER };
  const keys = zipKeys(Buffer.from(password));
  const member = Buffer.from(name);
  const local = localHeader(member, isLong);
  yield local;
  // Eleven random bytes, and one by which programs recognise a wrong password: here that of the time.
  yield await encrypt(Uint8Array.from([...randomBytes(ENCRYPTION_HEADER - 1), 0]), keys);
  const deflate = createDeflateRaw({ level: 6, chunkSize: CHUNK });
  const packing = pipeline(Readable.from(measured(content, totals)), deflate);
  packing.catch(() => undefined);
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    totals.packed += chunk.length;
    yield await encrypt(Uint8Array.from(chunk), keys);
  }
  await packing;
  const descriptor = dataDescriptor(totals, isLong);
  yield descriptor;
  const start = local.length + totals.packed + descriptor.length;
  yield directory(member, totals, { isLong, start });
}

interface Totals {
  crc: number;
  size: number;
  packed: number;
}

async function encryptAtOnce(chunk: Uint8Array<ArrayBuffer>, keys: ZipKeys): Promise<Uint8Array> {
  encryptZip(chunk, keys);
  return chunk;
}

async function* measured(content: AsyncIterable<Uint8Array>, totals: Totals): AsyncIterable<Uint8Array> {
  for await (const chunk of content) {
    totals.crc = crc32(chunk, totals.crc);
    totals.size += chunk.length;
    yield chunk;
  }
}

function localHeader(name: Uint8Array, isLong: boolean): Buffer {
  const extra = isLong ? longLengths(0, 0) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFileFields(header, 4, { crc: 0, size: 0, packed: 0 }, isLong);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

/** Writes the fields that local header and directory share: from the version to the lengths. */
function writeFileFields(header: Buffer, at: number, { crc, size, packed }: Totals, isLong: boolean): void {
  header.writeUInt16LE(isLong ? 45 : 20, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(DEFLATE, at + 4);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(isLong ? MAX_UINT32 : packed, at + 14);
  header.writeUInt32LE(isLong ? MAX_UINT32 : size, at + 18);
}

function longLengths(size: number, packed: number): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  return extra;
}

function dataDescriptor({ crc, size, packed }: Totals, isLong: boolean): Buffer {
  const descriptor = Buffer.alloc(isLong ? 24 : 16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  if (isLong) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8);
    descriptor.writeBigUInt64LE(BigInt(size), 16);
  } else {
    descriptor.writeUInt32LE(packed, 8);
    descriptor.writeUInt32LE(size, 12);
  }
  return descriptor;
}

function directory(
  name: Uint8Array,
  totals: Totals,
  { isLong, start }: { readonly isLong: boolean; readonly start: number },
): Buffer {
  const extra = isLong ? longLengths(totals.size, totals.packed) : Buffer.alloc(0);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(isLong ? 45 : 20, 4);
  writeFileFields(entry, 6, totals, isLong);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  const length = entry.length + name.length + extra.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(isLong ? MAX_UINT32 : start, 16);
  return Buffer.concat([entry, name, extra, ...(isLong ? [longEnd(start, length)] : []), end]);
}

/** Returns the end of the directory with lengths of eight bytes, and where it is. */
function longEnd(start: number, length: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(1n, 24);
  end.writeBigUInt64LE(1n, 32);
  end.writeBigUInt64LE(BigInt(length), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + length), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
