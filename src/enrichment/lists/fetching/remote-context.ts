import { createReadStream } from 'node:fs';
import type { ListDocument, ListFetchOptions, ListVersion } from '../list-entry.ts';
import type { ListConnection } from './list-connection.ts';

/** Dependencies of lists at an address. */
export interface RemoteContext extends ListFetchOptions {
  readonly connection: ListConnection;
  /** Version of the list as it is compiled. */
  readonly previous: ListVersion | undefined;
}

const CHUNK = 262_144;

/** Returns the bytes of a file. */
export function fileBytes(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: CHUNK });
}

/**
 * Yields files of the folder of a list as its documents, each opened when the previous one has been
 * read.
 */
export async function* fileDocuments(
  files: Iterable<{ readonly path: string; readonly place: string }>,
): AsyncGenerator<ListDocument> {
  for (const { path, place } of files) yield { place, bytes: fileBytes(path) };
}

/** Yields chunks, and says how many bytes have been read. */
export async function* counted(
  bytes: AsyncIterable<Buffer>,
  { progress, total }: { readonly progress: ListFetchOptions['progress']; readonly total: number | undefined },
): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of bytes) {
    done += chunk.length;
    progress(done, total);
    yield chunk;
  }
}
