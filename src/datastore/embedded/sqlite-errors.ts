import { isTriadError, messageOf, type TriadError, Unavailable } from '../../errors/errors.ts';

/** Advice for the operator by primary result code of SQLite (https://www.sqlite.org/rescode.html). */
const ADVICE: Readonly<Record<number, string>> = {
  5: 'Another program holds it open. Stop that program.',
  8: 'It cannot be written. Check the permissions and whether the file system is mounted read-only.',
  10: 'The disk reports an input/output error. Check the disk.',
  11: 'A file is damaged. Restore it from a backup.',
  13: 'The disk is full. Free space; nothing that was answered is lost.',
  14: 'A file cannot be opened. Check the permissions and the free space.',
  26: 'A file is not a database of this program. Restore it from a backup.',
};
const SQLITE_CONSTRAINT = 19;

/**
 * Returns Unavailable `datastore_unavailable` with advice for a failure of SQLite.
 * @param folder - named in the message, which only the operator may see
 */
export function storageError(error: unknown, folder?: string): TriadError {
  if (isTriadError(error)) return error;
  const advice = ADVICE[resultCode(error) ?? -1] ?? 'See the log for the cause.';
  const place = folder === undefined ? 'The data folder' : `The data folder ${folder}`;
  const message = `${place} cannot be used now (${messageOf(error)}). ${advice}`;
  return new Unavailable('datastore_unavailable', message, { cause: error });
}

/** Returns whether SQLite itself, and not a defect of the program, failed. */
export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

/** Returns whether a row was refused because another has the same key. */
export function isConstraintError(error: unknown): boolean {
  return resultCode(error) === SQLITE_CONSTRAINT;
}

/** Returns the primary result code. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
