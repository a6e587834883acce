import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError } from '../../errors/errors.ts';

/** Limits the attempts, and their intervals, to repeat an operation after conflicts. */
export interface ConflictLimits {
  readonly attempts: number;
  /**
   * Milliseconds that the pause after the first attempt takes at most; that after each further one twice
   * as long.
   */
  readonly first: number;
  /** Milliseconds. */
  readonly longest: number;
}

/** A document that is read, changed and written: some seconds long. */
const LIMITS: ConflictLimits = { attempts: 25, first: 2, longest: 250 };

/** Returns whether a document was changed between reading and writing. */
export function isVersionConflict(error: unknown): boolean {
  return isTriadError(error) && error.code === 'version_conflict';
}

/**
 * Waits for a random time, so that processes get out of each other's step.
 * @param attempt that failed, counted from 1
 */
export async function pauseAfterConflict(
  attempt: number,
  { first, longest }: ConflictLimits,
  signal?: AbortSignal,
): Promise<void> {
  await sleep(Math.random() * Math.min(longest, first * 2 ** (attempt - 1)), undefined, { signal });
}

/**
 * Runs `attempt`, which reads a document and writes it on condition that it is unchanged, again while
 * others write in between.
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
      if (made === LIMITS.attempts || !isConflict(error)) throw error;
    }
    await pauseAfterConflict(made, LIMITS);
  }
}
