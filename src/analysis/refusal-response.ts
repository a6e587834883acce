import { Forbidden, InvalidInput, isTriadError, NotFound } from '../errors/errors.ts';

const KINDS = { invalid_input: InvalidInput, forbidden: Forbidden, not_found: NotFound } as const;

/**
 * Runs `work`. Clients of some routes look into the data of a refusal: one that brings no data of its own goes out with `response`.
 */
export async function refusingWith<T>(response: unknown, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTriadError(error) || error.response !== undefined || !(error.kind in KINDS)) throw error;
    const { code, message, at } = error;
    throw new KINDS[error.kind as keyof typeof KINDS](code, message, { response, at, cause: error });
  }
}
