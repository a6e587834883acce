import { readFileSync, renameSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Name of the compiled list in the folder of a list. */
export function compiledPath(folder: string): string {
  return join(folder, 'list.sqlite');
}

/** The state of the updates of a list, which is kept beside its compiled file. */
export interface UpdateState {
  /** `id` of the compiled file that was current at `checkedAt`. */
  readonly file?: string | undefined;
  /** Time at which the list was last known to be up to date, in milliseconds since 1970. */
  readonly checkedAt?: number | undefined;
  /** Updates that failed, in all. */
  readonly failures: number;
  /** The last update failed. */
  readonly problem?: UpdateProblem | undefined;
}

export interface UpdateProblem {
  readonly at: number;
  /** A file or an address, with a line or a key. */
  readonly place: string;
  readonly reason: string;
  /** State of the local file that could not be read, so that it is not read again before it changes. */
  readonly source?: string | undefined;
}

const NO_STATE: UpdateState = { failures: 0 };

/** Returns the state; none where it is missing or not readable. */
export function readState(folder: string): UpdateState {
  try {
    const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as Partial<UpdateState>;
    return { ...NO_STATE, ...state };
  } catch {
    return NO_STATE;
  }
}

/** Replaces the state at once: readers see the old or the new. */
export function writeState(folder: string, state: UpdateState): void {
  const path = join(folder, 'state.json');
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(state));
  renameSync(unfinished, path);
}

/** Identifies the state of a file by its inode, size and time; undefined when there is none. */
export function signatureOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && signatureOfStats(stats);
}

export function signatureOfStats({ ino, size, mtimeMs }: Pick<Stats, 'ino' | 'size' | 'mtimeMs'>): string {
  return `${ino}-${size}-${mtimeMs}`;
}

/**
 * Locks the folder of a list by the operating system, until it is released or the process ends.
 * @returns undefined when another process has it
 */
export function lockListFolder(folder: string): { release(): void } | undefined {
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

const SQLITE_BUSY = 5;
