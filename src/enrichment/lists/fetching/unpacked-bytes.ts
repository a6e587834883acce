import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js';
import { messageOf } from '../../../errors/errors.ts';
import { ListProblem } from '../list-entry.ts';

configure({ useWebWorkers: false });

/** Bytes of a list, packed or unpacked. */
export const MAX_LIST_BYTES = 2 * 1024 ** 3;
/** Maximum number of bytes of an archive that are read at once, for its directory. */
const MAX_DIRECTORY = 16 * 1024 ** 2;
const ZIP_FILE = 'download.zip';

export interface UnpackOptions {
  readonly place: string;
  /** An archive is written here, because it is read from its end. */
  readonly folder: string;
  readonly maxBytes?: number;
}

/**
 * Unpacks gzip and zip with one file in it, detected by their first bytes; other content stays as it
 * is.
 * @throws ListProblem for content that is broken, ends early, or has more than 2 GB
 */
export async function* unpackedBytes(packed: AsyncIterable<Buffer>, options: UnpackOptions): AsyncGenerator<Buffer> {
  const { place, maxBytes = MAX_LIST_BYTES } = options;
  const source = limited(packed, place, maxBytes);
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const { value, done } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = prepended(head, source);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* limited(gunzipped(whole, place), place, maxBytes);
  else if (head.toString('latin1', 0, 4) === 'PK\x03\x04') yield* limited(unzipped(whole, options), place, maxBytes);
  else yield* whole;
}

/** Yields chunks and fails at the first that is beyond a number of bytes. */
export async function* limited(source: AsyncIterable<Buffer>, place: string, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) throw new ListProblem(place, `it has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Unpacks gzip, also of several members. */
export async function* gunzipped(packed: AsyncIterable<Buffer>, place: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = Readable.from(packed, { objectMode: false });
  source.once('error', (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip);
  } catch (error) {
    if (error instanceof ListProblem) throw error;
    const isShort = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    const reason = isShort ? 'the gzip content ends in the middle' : `the gzip content is broken (${messageOf(error)})`;
    throw new ListProblem(place, reason, { cause: error });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

async function* unzipped(packed: AsyncIterable<Buffer>, { place, folder }: UnpackOptions): AsyncGenerator<Buffer> {
  const path = join(folder, ZIP_FILE);
  await pipeline(packed, createWriteStream(path));
  try {
    yield* zipMember(await openAsBlob(path), place);
  } finally {
    await rm(path, { force: true });
  }
}

/** Yields the one file of an archive. Its name is not used, so that it cannot choose a path. */
async function* zipMember(archive: Blob, place: string): AsyncGenerator<Buffer> {
  const zip = new ZipReader(new BoundedReader(archive));
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  try {
    const member = await onlyMember(zip, place);
    const written = member.getData(writable, { checkSignature: true });
    written.catch(() => undefined);
    for await (const chunk of readable) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    await written;
  } catch (error) {
    if (error instanceof ListProblem) throw error;
    throw new ListProblem(place, `the zip archive is broken (${messageOf(error)})`, { cause: error });
  } finally {
    await zip.close().catch(() => undefined);
  }
}

async function onlyMember(zip: ZipReader<unknown>, place: string): Promise<FileEntry> {
  const files: FileEntry[] = [];
  for await (const entry of zip.getEntriesGenerator()) {
    // Entries that macOS and file managers add.
    if (entry.directory || /(?:^|\/)(?:__MACOSX\/|\.)/.test(entry.filename)) continue;
    files.push(entry);
    if (files.length > 1)
      throw new ListProblem(place, 'the zip archive has several files. It has to hold the list alone');
  }
  const [file] = files;
  if (file === undefined) throw new ListProblem(place, 'the zip archive has no file');
  if (file.encrypted) throw new ListProblem(place, 'the zip archive needs a password');
  return file;
}

/** Reads an archive in small parts, also when its directory claims to be large. */
class BoundedReader extends BlobReader {
  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > MAX_DIRECTORY) throw new Error('its directory is too large');
    return super.readUint8Array(index, length);
  }
}

async function* prepended(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
