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
