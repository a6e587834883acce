import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTriadError, messageOf, Unavailable } from '../../errors/errors.ts';
import { isSha256 } from '../file-content.ts';
import type { StoredFile } from '../file-storage.ts';

/** Causes that have an easy cure; the rest is told by the system's own words. */
const CURES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free space.',
  EDQUOT: 'The disk quota is used up. Free space or raise it.',
  EFBIG: 'The file is larger than the system lets this process write. Raise the limit.',
  EROFS: 'The disk is read-only.',
  EACCES: 'This user may not write there. Give it the folder.',
  EPERM: 'This user may not write there. Give it the folder.',
  EMFILE: 'Too many files are open. Raise the limit of open files.',
  ENFILE: 'Too many files are open. Raise the limit of open files.',
};

/** Runs what works on the folder; failures of the system become errors of the port, ours stay. */
export async function translated<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isTriadError(error) ? error : localUnavailable(folder, error);
  }
}

export function localUnavailable(folder: string, cause: unknown): Unavailable {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words = CURES[code] ?? `${messageOf(cause)}.`;
  return new Unavailable('file_storage_unavailable', `The file storage ${folder} cannot be used: ${words}`, {
    cause,
    retryAfter: 5,
  });
}

export function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const BATCH = 1000;
const FOLDER_NAME = /^[0-9a-f]{2}$/;

/** Files of `folder` behind `after`, in order: folders are visited in order, and each holds few. */
export async function* listStoredFiles(folder: string, after: string): AsyncIterable<readonly StoredFile[]> {
  let batch: StoredFile[] = [];
  for (const first of await folderNames(folder, folder, after.slice(0, 2))) {
    const startOfFirst = first === after.slice(0, 2) ? after.slice(2, 4) : '';
    for (const second of await folderNames(folder, join(folder, first), startOfFirst)) {
      const home = join(folder, first, second);
      const names = (await entries(folder, home)).filter((name) => isSha256(name) && name > after);
      for (const name of names.toSorted()) {
        const file = await translated(folder, () => statStoredFile(join(home, name), name));
        // Deleted meanwhile.
        if (file === undefined) continue;
        batch.push(file);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

async function folderNames(root: string, folder: string, from: string): Promise<readonly string[]> {
  return (await entries(root, folder)).filter((name) => FOLDER_NAME.test(name) && name >= from).toSorted();
}

/** Empty when the folder is gone meanwhile. */
function entries(root: string, folder: string): Promise<string[]> {
  return translated(root, () =>
    readdir(folder).catch((error) => {
      if (folder !== root && isSystemError(error, 'ENOENT')) return [];
      throw error;
    }),
  );
}

/** Undefined when it is not there. */
export async function statStoredFile(path: string, sha256: string): Promise<StoredFile | undefined> {
  try {
    const { size, mtime } = await stat(path);
    return { sha256, size, storedAt: mtime };
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
