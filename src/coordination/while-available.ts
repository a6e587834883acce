import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorOptions, isUnavailable, type Unavailable } from '../errors/errors.ts';

/** Awaits a coordination call; if coordination is unavailable, throws `refusal` with cause and retry. */
export async function whileAvailable<T>(
  answer: Promise<T>,
  refusal: (options: ErrorOptions) => Unavailable,
): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause;
    throw refusal({ cause, ...(cause.retryAfter === undefined ? {} : { retryAfter: cause.retryAfter }) });
  }
}

/** Awaits a coordination call, or reports and returns `otherwise` if coordination is unavailable. */
export async function unlessUnavailable<T, Otherwise = undefined>(
  answer: Promise<T>,
  otherwise: Otherwise,
  report?: (error: Unavailable) => void,
): Promise<T | Otherwise> {
  try {
    return await answer;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    report?.(error as Unavailable);
    return otherwise;
  }
}

/** Milliseconds between two attempts. */
const PAUSE = 500;

export interface Patience {
  /** Milliseconds during which work is repeated, at most. */
  readonly longest: number;
  /** Ends the repetition: the caller has gone. */
  readonly signal?: AbortSignal;
  readonly report?: (error: Unavailable) => void;
}

/** Repeats work that fails because a server is unavailable. @throws the last Unavailable */
export async function untilAvailable<T>(work: () => Promise<T>, { longest, signal, report }: Patience): Promise<T> {
  const deadline = performance.now() + longest;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + PAUSE > deadline || signal?.aborted) throw error;
      report?.(error as Unavailable);
      await sleep(PAUSE, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
