import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { type Extraction, messageOf } from './extraction.ts';

const HEADER = 2048;
const HAS_EXTRA = 4;
const HAS_NAME = 8;

/** Unpacks a file that is compressed as a whole, which gives one file. */
export async function unpackStream(
  path: string,
  extraction: Extraction,
  { format, name }: { readonly format: 'gzip' | 'zlib'; readonly name: string },
): Promise<void> {
  const inner = (format === 'gzip' ? await nameInGzip(path) : undefined) ?? name.replace(/\.(gz|gzip|z|zlib)$/i, '');
  const memberName = inner.replace(/\.tgz$/i, '.tar');
  extraction.list({ name: memberName, isFolder: false, isHidden: false, size: undefined, compressed: undefined });
  const source = createReadStream(path);
  const unpacked = format === 'gzip' ? createGunzip() : createInflate();
  source.once('error', (error) => unpacked.destroy(error));
  try {
    await extraction.add(memberName, format, async (write) => {
      for await (const chunk of source.pipe(unpacked)) await write(chunk);
    });
  } catch (error) {
    extraction.problems.push(messageOf(error));
    extraction.isUnlisted = true;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** Reads the name that a gzip header may hold (RFC 1952 section 2.3). */
async function nameInGzip(path: string): Promise<string | undefined> {
  await using handle = await open(path);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER), 0, HEADER, 0);
  if (bytesRead < 12 || buffer.readUInt16BE(0) !== 0x1f8b) return undefined;
  const flags = buffer.readUInt8(3);
  if ((flags & HAS_NAME) === 0) return undefined;
  const begin = (flags & HAS_EXTRA) === 0 ? 10 : 12 + buffer.readUInt16LE(10);
  const end = buffer.indexOf(0, begin);
  return end <= begin || end >= bytesRead ? undefined : buffer.toString('latin1', begin, end);
}
