import { isTriadError } from '../errors/errors.ts';
import { systemClock } from './clock.ts';
import type { MigrationContext } from './migration.ts';

/** Milliseconds between two attempts. */
const INTERVAL = 500;
/**
 * Why a search of columns that are still made fails: the rest takes too long, or took longer than was
 * expected.
 */
const STILL_MADE: ReadonlySet<string> = new Set(['columns_rebuilding', 'search_timeout']);

/**
 * The answer to a search, as soon as there can be one: the embedded engine may first have to make its
 * search columns from the documents, which ends by itself. @throws `signal.reason`
 */
export async function whenSearchable<Answer>(
  search: () => Promise<Answer>,
  { warn, signal }: Pick<MigrationContext, 'warn' | 'signal'>,
): Promise<Answer> {
  for (let told = false; ; told = true) {
    signal.throwIfAborted();
    try {
      return await search();
    } catch (error) {
      if (!isTriadError(error) || !STILL_MADE.has(error.code)) throw error;
      if (!told) warn(`Waiting until documents can be searched: ${error.message}`);
    }
    await systemClock.sleep(INTERVAL, signal);
  }
}
