import { createContext, Script } from 'node:vm';

const PLACE: { work: () => unknown } = { work: () => undefined };
const CONTEXT = createContext(PLACE);
const SCRIPT = new Script('work()');

/**
 * Does some work and gives it up after a time: an expression of the settings may take for ever with a text that somebody made for that, and
 * nothing else in this process goes on meanwhile. Costs a fourth of a millisecond.
 * @param work waits for nothing, and may be ended anywhere: whatever it changes, it changes at its end
 * @returns undefined: it was given up
 * @throws what `work` throws
 */
export function withinTime<T>(milliseconds: number, work: () => T): { readonly result: T } | undefined {
  PLACE.work = work;
  try {
    return { result: SCRIPT.runInContext(CONTEXT, { timeout: milliseconds }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    PLACE.work = () => undefined;
  }
}
