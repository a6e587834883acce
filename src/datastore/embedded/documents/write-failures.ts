import {
  Conflict,
  type ErrorKind,
  Forbidden,
  InvalidInput,
  isTriadError,
  NotFound,
  TooLarge,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  Unsupported,
} from '../../../errors/errors.ts';
import type { WriteFailure } from './write-requests.ts';

const CLASSES = {
  invalid_input: InvalidInput,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  too_large: TooLarge,
  too_many_requests: TooManyRequests,
  unsupported: Unsupported,
  unavailable: Unavailable,
} satisfies Record<ErrorKind, unknown>;

/** The error that another thread described. */
export function errorFrom({ kind, code, message, at, retryAfter }: WriteFailure): Error {
  if (kind === 'defect') return new Error(message);
  return new CLASSES[kind](code, message, { at, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

/** An error as plain data. */
export function failureOf(error: unknown): WriteFailure {
  if (isTriadError(error)) {
    const { kind, code, message, at, retryAfter } = error;
    return { kind, code, message, at, retryAfter };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'defect', code: 'defect', message };
}
