import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ListContent,
  type ListFetchOptions,
  ListProblem,
  type ListSettings,
  type ListVersion,
} from '../list-entry.ts';
import { counted, fileBytes } from './remote-context.ts';
import { unpackedBytes } from './unpacked-bytes.ts';

interface LocalFile {
  readonly path: string;
  readonly size: number;
  readonly stamp: string;
}

/** Opens a file; of a feed of MISP, the events of a folder. */
export async function openPath(
  path: string,
  { format }: ListSettings,
  previous: ListVersion | undefined,
  { folder, progress }: ListFetchOptions,
): Promise<ListContent> {
  const files = await filesAt(path, format === 'misp_feed');
  const stamp = createHash('sha256')
    .update(files.map(({ path, stamp }) => `${path} ${stamp}`).join('\n'))
    .digest('hex');
  if (previous?.stamp === stamp) return { changed: false };
  const total = files.reduce((sum, { size }) => sum + size, 0);
  async function* documents() {
    let before = 0;
    for (const { path: place, size, stamp } of files) {
      const done = before;
      const bytes = counted(fileBytes(place), { progress: (read) => progress(done + read, total), total });
      yield { place, bytes: unchanged(place, stamp, unpackedBytes(bytes, { place, folder })) };
      before += size;
    }
  }
  return { changed: true, documents: documents(), version: () => ({ stamp }), close: async () => undefined };
}

async function filesAt(path: string, isFeed: boolean): Promise<readonly LocalFile[]> {
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new ListProblem(path, `it cannot be read (${cause.code})`, { cause });
  });
  if (stats.isFile()) return [await localFile(path)];
  if (!isFeed || !stats.isDirectory()) throw new ListProblem(path, 'it is not a file');
  const names = (await readdir(path)).filter((name) => name.endsWith('.json') && name !== 'manifest.json').sort();
  if (names.length === 0) throw new ListProblem(path, 'it has no events, which are files with the ending .json');
  return Promise.all(names.map((name) => localFile(join(path, name))));
}

async function localFile(path: string): Promise<LocalFile> {
  const { ino, mtimeMs, size } = await stat(path);
  return { path, size, stamp: `${ino} ${mtimeMs} ${size}` };
}

/**
 * Yields the bytes of a file and fails when it changed meanwhile: a mix of the old and the new
 * content is not a list.
 */
async function* unchanged(path: string, stamp: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* bytes;
  const now = await localFile(path).catch(() => undefined);
  if (now?.stamp !== stamp) throw new ListProblem(path, 'it changed while it was read');
}
