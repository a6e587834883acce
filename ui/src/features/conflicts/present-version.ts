import { ApiProblem } from '../../api/problem.ts';

/** An object as it is now, with its version. */
export interface Versioned<Stored> {
  readonly data: Stored;
  readonly version: string | undefined;
}

export type VersionHeaders = Readonly<Record<string, string>>;

/** Attempts of a change that others keep overtaking. */
const MAX_ATTEMPTS = 5;

/**
 * Reads an object and writes to that version of it; repeats both while others write in between.
 * @param write gets the headers that name the version; it may throw to refuse
 */
export async function atPresentVersion<Stored, Written>(
  read: () => Promise<Versioned<Stored>>,
  write: (present: Stored, headers: VersionHeaders) => Promise<Written>,
): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    const { data, version } = await read();
    try {
      return await write(data, version === undefined ? {} : { 'if-match': version });
    } catch (error) {
      if (!isOvertaken(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function isOvertaken(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'version_conflict';
}
