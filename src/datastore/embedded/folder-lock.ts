import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isTriadError, Unavailable } from '../../errors/errors.ts';
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

/** Beside the lock of the datastore: who holds only that one is not a migration runner. */
const LOCK_FILE = 'migration.lock';

export interface MigrationTurnOptions {
  /** Milliseconds that the turn of another runner is waited for. */
  readonly timeout: number;
  /** Milliseconds between two attempts. */
  readonly pollInterval: number;
  readonly signal: AbortSignal;
  /** Called once, when the waiting begins. */
  readonly onWait: () => void;
}

/**
 * The folder belongs to one process, so migration runners come one after the other: each takes its turn before it opens the
 * datastore, and gives it back after it has closed it. The turn ends with the process, however that ends.
 * @throws Unavailable `migration_wait_timeout`; `signal.reason`
 */
export async function takeMigrationLock(
  folder: string,
  { timeout, pollInterval, signal, onWait }: MigrationTurnOptions,
): Promise<{ release(): void }> {
  let deadline: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    try {
      return lockFolder(folder, LOCK_FILE);
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'data_folder_in_use') throw error;
    }
    if (deadline === undefined) {
      deadline = performance.now() + timeout;
      onWait();
    }
    const left = deadline - performance.now();
    if (left <= 0) {
      throw new Unavailable(
        'migration_wait_timeout',
        `Another migration runner has the data folder ${folder} and did not finish within the wait timeout of ${timeout / 1000} s (SVC_MIGRATION_WAIT_TIMEOUT). Run the migration again when it has ended.`,
      );
    }
    await pause(Math.min(pollInterval, left), undefined, { signal }).catch((error) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}
