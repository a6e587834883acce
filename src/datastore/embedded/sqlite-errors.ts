import { isTriadError, messageOf, type TriadError, Unavailable } from '../../errors/errors.ts';

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) that tell the operator what to do. */
const ADVICE: Readonly<Record<number, string>> = {
  5: 'Another program holds it open. Stop that program.',
  8: 'It cannot be written. Check the permissions and whether the file system is mounted read-only.',
  10: 'The disk reports an input/output error. Check the disk.',
  11: 'A file is damaged. Restore it from a backup.',
  13: 'The disk is full. Free space; nothing that was answered is lost.',
  14: 'A file cannot be opened. Check the permissions and the free space.',
  26: 'A file is not a database of this program. Restore it from a backup.',
};

/**
 * What callers get for a failure of SQLite: Unavailable `datastore_unavailable`, with what to do.
 * @param folder - named in the message, which only the operator may see
 */
export function storageError(error: unknown, folder?: string): TriadError {
  if (isTriadError(error)) return error;
  const code = resultCode(error);
  const advice = (code !== undefined && ADVICE[code & 0xff]) || 'See the log for the cause.';
  const detail = messageOf(error);
  const place = folder === undefined ? 'The data folder' : `The data folder ${folder}`;
  return new Unavailable('datastore_unavailable', `${place} cannot be used now (${detail}). ${advice}`, {
    cause: error,
  });
}

/** Whether SQLite itself, and not a defect of the program, is what failed. */
export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

/** Whether a row was refused because another has the same key. */
export function isConstraintError(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === SQLITE_CONSTRAINT;
}

const SQLITE_CONSTRAINT = 19;

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}
