import { isTriadError, messageOf, Unavailable } from '../../errors/errors.ts';

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
