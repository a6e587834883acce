import { buffer } from 'node:stream/consumers';
import { BlobReader, type FileEntry, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { ReceivedFile } from '../files/received-file.ts';

/** Start of a zip with members. */
const ZIP_START = Buffer.from('PK\u0003\u0004');

/**
 * Returns the only member of a zip that a source protects with a password.
 * Undefined for any other file, another password, or a member of `limit` bytes or more.
 */
export async function unpackProtected(
  storage: Pick<FileStorage, 'open'>,
  file: ReceivedFile,
  { password, limit }: { readonly password: string; readonly limit: number },
): Promise<Uint8Array | undefined> {
  if (!file.head.subarray(0, ZIP_START.length).equals(ZIP_START) || file.size > limit) return undefined;
  const { stream } = await storage.open(file.sha256);
  const bytes = await buffer(stream);
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(bytes)])));
  try {
    const entries = await reader.getEntries();
    const [entry] = entries;
    if (entries.length !== 1 || entry === undefined || entry.directory || entry.uncompressedSize >= limit) {
      return undefined;
    }
    return await (entry as FileEntry).getData(new Uint8ArrayWriter(), { password, checkSignature: true });
  } catch {
    // What cannot be unpacked is analysed as it is.
    return undefined;
  } finally {
    await reader.close();
  }
}
