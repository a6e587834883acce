import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Unavailable } from '../../errors/errors.ts';
import { storageError } from './sqlite-errors.ts';

const DATASTORE_LOCK = 'datastore.lock';
const SQLITE_BUSY = 5;

/**
 * Takes the folder for this process. The lock is the operating system's, on a database of its own: it ends with the process,
 * however that ends, and never has to be cleaned up.
 * @param file names the lock; locks of different names do not touch each other
 * @throws Unavailable `data_folder_in_use`, when another process or another datastore of this one has it
 */
export function lockFolder(folder: string, file = DATASTORE_LOCK): { release(): void } {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, file), { timeout: 0 });
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new Unavailable(
        'data_folder_in_use',
        `The data folder ${folder} is in use by another process. Stop that process, or choose another folder.`,
        { cause: error },
      );
    }
    throw storageError(error, folder);
  }
  const held = database;
  return { release: () => held.close() };
}
