import { isTriadError } from '../errors/errors.ts';

const ATTEMPTS = 10;

/** Reads and writes again when somebody else wrote in between; a conflict that stays is thrown. */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left <= 1 || !isTriadError(error) || error.code !== 'version_conflict') throw error;
    }
  }
}
