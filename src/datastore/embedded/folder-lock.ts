import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError, Unavailable } from '../../errors/errors.ts';
import { storageError } from './documents/document-database.ts';

const SQLITE_BUSY = 5;

/**
 * Locks the folder by the operating system, until the process ends; other files are other locks.
 * @throws Unavailable `data_folder_in_use`, when another process or another datastore of this one has it
 */
export function lockFolder(folder: string, file = 'datastore.lock'): { release(): void } {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, file), { timeout: 0 });
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
  } catch (cause) {
    database?.close();
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      const message = `The data folder ${folder} is in use by another process. Stop that process, or choose another folder.`;
      throw new Unavailable('data_folder_in_use', message, { cause });
    }
    throw storageError(cause, folder);
  }
  const held = database;
  return { release: () => held.close() };
}

export interface MigrationTurnOptions {
  /** Milliseconds to wait for another runner. */
  readonly timeout: number;
  /** Milliseconds between two attempts. */
  readonly pollInterval: number;
  readonly signal: AbortSignal;
  /** Called once, when the waiting begins. */
  readonly onWait: () => void;
}

/**
 * Locks the folder for a migration runner, from before it opens the datastore until it has closed it.
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
      return lockFolder(folder, 'migration.lock');
    } catch (error) {
      if (!isTriadError(error) || error.code !== 'data_folder_in_use') throw error;
    }
    if (deadline === undefined) onWait();
    deadline ??= performance.now() + timeout;
    const left = deadline - performance.now();
    if (left <= 0) {
      const message = `Another migration runner has the data folder ${folder} and did not finish within the wait timeout of ${timeout / 1000} s (SVC_MIGRATION_WAIT_TIMEOUT). Run the migration again when it has ended.`;
      throw new Unavailable('migration_wait_timeout', message);
    }
    // Only the signal ends a wait early; its reason is thrown, not that of the timer.
    await sleep(Math.min(pollInterval, left), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
