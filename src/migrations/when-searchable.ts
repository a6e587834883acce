import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError } from '../errors/errors.ts';
import type { MigrationContext } from './migration.ts';

/** Milliseconds between two attempts. */
const INTERVAL = 500;
/** Codes of searches that fail while columns are built. */
const COLUMNS_MISSING: ReadonlySet<string> = new Set(['columns_rebuilding', 'search_timeout']);

/** Returns the answer to a search once the embedded engine has its columns; throws `signal.reason`. */
export async function whenSearchable<Answer>(
  search: () => Promise<Answer>,
  { warn, signal }: Pick<MigrationContext, 'warn' | 'signal'>,
): Promise<Answer> {
  for (let reported = false; ; reported = true) {
    signal.throwIfAborted();
    try {
      return await search();
    } catch (error) {
      if (!isTriadError(error) || !COLUMNS_MISSING.has(error.code)) throw error;
      if (!reported) warn(`Waiting until documents can be searched: ${error.message}`);
    }
    await sleep(INTERVAL, undefined, { signal }).catch(() => undefined);
  }
}
