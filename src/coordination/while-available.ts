import { type ErrorOptions, isUnavailable, type Unavailable } from '../errors/errors.ts';

/**
 * Returns the result of a coordination call, or throws `refusal` if coordination is unavailable.
 * The refusal names the unavailable function, and gets the cause and the retry time. Other errors are rethrown.
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

/**
 * Returns the result of a coordination call, or `otherwise` if coordination is unavailable, for what
 * may go on without it.
 * @param report gets the error in that case
 */
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
