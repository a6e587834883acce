import { setTimeout as pause } from 'node:timers/promises';
import { isTriadError } from '../errors/errors.ts';

/** How often it is tried when others change the same document at the same time: some seconds long. */
const ATTEMPTS = 25;
/** Longest pause before an attempt in milliseconds; random, so that processes get out of each other's step. */
const LONGEST_PAUSE = 250;

/** Somebody changed the document between reading and writing. */
export function isVersionConflict(error: unknown): boolean {
  return isTriadError(error) && error.code === 'version_conflict';
}

/**
 * Runs `attempt`, which reads a document and writes it on condition that it is unchanged, again while others write in between.
 * @throws what the last attempt threw; anything that `isConflict` (default: version conflicts) does not admit at once
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result>,
  isConflict: (error: unknown) => boolean = isVersionConflict,
): Promise<Result> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (made === ATTEMPTS || !isConflict(error)) throw error;
    }
    await pause(Math.random() * Math.min(LONGEST_PAUSE, 2 ** made));
  }
}
