import type { ByteSource } from './byte-source.ts';

/** Signature, numbers of disks and members, size and offset of the directory, length of the comment. */
const END_LENGTH = 22;
const END_SIGNATURE = 0x06054b50;
const MAX_COMMENT = 0xffff;
const END64_LOCATOR_SIGNATURE = 0x07064b50;
const END64_LOCATOR_LENGTH = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_LENGTH = 56;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_LENGTH = 46;
/** Bytes of the directory, and members, that are read. */
const MAX_DIRECTORY = 8 << 20;
const MAX_MEMBERS = 50_000;

/**
 * Reads the names of the members of a zip archive from its directory, which is at its end.
 * Returns the first 50,000; undefined when there is no directory.
 */
export async function readZipMemberNames(source: ByteSource): Promise<readonly string[] | undefined> {
  const directory = await findDirectory(source);
  if (directory === undefined) return undefined;
  const bytes = await source.read(directory.offset, Math.min(directory.length, MAX_DIRECTORY));
  const names: string[] = [];
  let at = 0;
  while (names.length < MAX_MEMBERS && at + ENTRY_LENGTH <= bytes.length) {
    if (bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) break;
    const nameEnd = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28);
    // Bit 11: the name is UTF-8. Others are in the code page of the author's computer.
    const isUtf8 = (bytes.readUInt16LE(at + 8) & 0x800) !== 0;
    names.push(bytes.toString(isUtf8 ? 'utf8' : 'latin1', at + ENTRY_LENGTH, nameEnd));
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}

async function findDirectory(source: ByteSource): Promise<{ offset: number; length: number } | undefined> {
  const tailOffset = Math.max(0, source.size - END_LENGTH - MAX_COMMENT);
  const tail = await source.read(tailOffset, END_LENGTH + MAX_COMMENT);
  for (let at = tail.length - END_LENGTH; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const end = tailOffset + at;
    const length = tail.readUInt32LE(at + 12);
    const stated = tail.readUInt32LE(at + 16);
    if (stated === 0xffffffff || length === 0xffffffff) return findDirectory64(source, end);
    if (length > end) return undefined;
    // Bytes in front of the archive shift everything: the directory ends where its end record begins.
    const offset = (await startsDirectory(source, stated)) ? stated : end - length;
    return { offset, length };
  }
  return undefined;
}

async function startsDirectory(source: ByteSource, offset: number): Promise<boolean> {
  const signature = await source.read(offset, 4);
  return signature.length === 4 && signature.readUInt32LE(0) === ENTRY_SIGNATURE;
}

async function findDirectory64(
  source: ByteSource,
  end: number,
): Promise<{ offset: number; length: number } | undefined> {
  if (end < END64_LOCATOR_LENGTH) return undefined;
  const locator = await source.read(end - END64_LOCATOR_LENGTH, END64_LOCATOR_LENGTH);
  if (locator.readUInt32LE(0) !== END64_LOCATOR_SIGNATURE) return undefined;
  const position = Number(locator.readBigUInt64LE(8));
  if (position + END64_LENGTH > source.size) return undefined;
  const record = await source.read(position, END64_LENGTH);
  if (record.readUInt32LE(0) !== END64_SIGNATURE) return undefined;
  const length = Number(record.readBigUInt64LE(40));
  const offset = Number(record.readBigUInt64LE(48));
  return offset + length > source.size ? undefined : { offset, length };
}
