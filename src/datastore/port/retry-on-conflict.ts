import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError } from '../../errors/errors.ts';

/** Attempts to change a document while others change it, too: some seconds. */
export const MAX_ATTEMPTS = 25;
/** Milliseconds of the longest pause after the first conflict, and after any; in between they double. */
const FIRST_PAUSE = 2;
const MAX_PAUSE = 250;

export function isVersionConflict(error: unknown): boolean {
  return isTriadError(error) && error.code === 'version_conflict';
}

/** Waits for a random time, so that processes get out of step. `attempt` counts from 1. */
export async function pauseAfterConflict(attempt: number, signal?: AbortSignal): Promise<void> {
  await sleep(Math.random() * Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)), undefined, { signal });
}

/** Repeats `attempt`, a read and a conditional write, on conflicts; throws what the last one threw. */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result>,
  isConflict: (error: unknown) => boolean = isVersionConflict,
): Promise<Result> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made === MAX_ATTEMPTS || !isConflict(error)) throw error;
    }
    await pauseAfterConflict(made);
  }
}
