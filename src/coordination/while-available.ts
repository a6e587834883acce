import { type ErrorOptions, isUnavailable, type Unavailable } from '../errors/errors.ts';

/**
 * The answer of coordination, or what callers are told when it is gone: the refusal says what cannot be done meanwhile, and gets the
 * cause and when to try again. Every other error passes.
 */
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
