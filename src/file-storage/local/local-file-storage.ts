import { setMaxListeners } from 'node:events';
import { open, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { messageOf, Unavailable } from '../../errors/errors.ts';
import {
  assertRange,
  assertSha256,
  closingOnFailure,
  fileMissing,
  givenStream,
  portionOf,
  receiveContent,
} from '../file-content.ts';
import type { FileStorage, FileStorageLogger } from '../file-storage.ts';
import { IncomingFiles } from './incoming-files.ts';
import { isSystemError, listStoredFiles, localUnavailable, statStoredFile, translated } from './stored-files.ts';
import { StoredFolders } from './stored-folders.ts';

export interface LocalFileStorageOptions {
  /** Made when it is missing. Files lie in it as `ab/cd/abcd…`; what is being written lies in `incoming`. */
  readonly folder: string;
  /** Receives a note about left-over parts that were removed. Default: none. */
  readonly logger?: FileStorageLogger;
}

/**
 * Opens a folder for several processes, and removes parts of killed ones. Files are flushed and then
 * renamed, so a crash leaves whole files. @throws Unavailable `file_storage_unavailable` when it cannot be written
 */
export async function openLocalFileStorage(options: LocalFileStorageOptions): Promise<FileStorage> {
  const folder = resolve(options.folder);
  const incoming = new IncomingFiles(join(folder, 'incoming'));
  const removed = await translated(folder, () => incoming.prepare());
  if (removed > 0) options.logger?.info({ folder, removed }, 'removed parts of files that were never finished');
  const closing = new AbortController();
  // Every stream that is open listens to it.
  setMaxListeners(0, closing.signal);
  const assertOpen = () => {
    if (closing.signal.aborted) throw closing.signal.reason;
  };
  const folders = new StoredFolders(folder);
  const pathOf = (sha256: string) => folders.pathOf(sha256);
  const find = (sha256: string) => translated(folder, () => statStoredFile(pathOf(sha256), sha256));

  return {
    put: (content, putOptions = {}) =>
      closingOnFailure(content, async () => {
        assertOpen();
        const { signal: callers } = putOptions;
        const signal = callers === undefined ? closing.signal : AbortSignal.any([callers, closing.signal]);
        const part = incoming.begin();
        try {
          const received = await receiveContent(content, { ...putOptions, signal }, (chunk) =>
            translated(folder, () => part.write(chunk)),
          );
          // A file of another size is the remains of an accident outside the program: it is replaced.
          if ((await find(received.sha256))?.size !== received.size) {
            await translated(folder, () => folders.moveInto(part, received.sha256));
          }
          return received;
        } finally {
          await part.discard();
        }
      }),

    async open(sha256, range) {
      assertOpen();
      assertSha256(sha256);
      if (range !== undefined) assertRange(range);
      const file = await translated(folder, () =>
        open(pathOf(sha256), 'r').catch((error) => {
          throw isSystemError(error, 'ENOENT') ? fileMissing(sha256, error) : error;
        }),
      );
      try {
        const { size } = await translated(folder, () => file.stat());
        const portion = portionOf(size, range);
        const end = portion.offset + portion.length - 1;
        const source =
          portion.length === 0
            ? Readable.from([])
            : file.createReadStream({ start: portion.offset, end, signal: closing.signal });
        if (portion.length === 0) await file.close();
        const stream = givenStream(source, sha256, portion, (error) =>
          closing.signal.aborted ? closing.signal.reason : localUnavailable(folder, error),
        );
        return { stream, size, length: portion.length };
      } catch (error) {
        await file.close().catch(() => undefined);
        throw error;
      }
    },

    async stat(sha256) {
      assertOpen();
      assertSha256(sha256);
      return find(sha256);
    },

    async delete(sha256) {
      assertOpen();
      assertSha256(sha256);
      await translated(folder, () =>
        unlink(pathOf(sha256)).catch((error) => {
          if (!isSystemError(error, 'ENOENT')) throw error;
        }),
      );
    },

    async *list({ after = '' } = {}) {
      if (after !== '') assertSha256(after);
      for await (const batch of listStoredFiles(folder, after)) {
        assertOpen();
        yield batch;
      }
      assertOpen();
    },

    async health() {
      try {
        assertOpen();
        await translated(folder, () => incoming.probe());
        return { ok: true, detail: '' };
      } catch (error) {
        return { ok: false, detail: messageOf(error) };
      }
    },

    async close() {
      closing.abort(
        new Unavailable('file_storage_unavailable', 'The file storage is closed: the program is shutting down.'),
      );
    },
  };
}
