/**
 * The kinds of errors, from which one table in `http` makes the status. Errors have a stable `code`
 * (docs/errors.md), and say what is wrong, where, and what to do. They are checked by `kind`, never by `instanceof`.
 */
export type ErrorKind =
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'too_many_requests'
  | 'unsupported'
  | 'unavailable'
  | 'upstream_failed'
  | 'upstream_timed_out';

export interface ErrorOptions {
  readonly cause?: unknown;
  /** Value of `api_response` beside the message, when a client relies on it. */
  readonly response?: unknown;
  /** Position of the mistake in the input: a dotted path, or a character position in a query. */
  readonly at?: string | number | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
  /** Privileges, user types or roles of which the caller needs one. */
  readonly needs?: readonly string[] | undefined;
}

export abstract class TriadError extends Error {
  abstract readonly kind: ErrorKind;
  readonly code: string;
  readonly response: unknown;
  readonly at: string | number | undefined;
  readonly retryAfter: number | undefined;
  readonly needs: readonly string[] | undefined;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.response = options.response;
    this.at = options.at;
    this.retryAfter = options.retryAfter;
    this.needs = options.needs;
  }
}

const errorOf = <const Kind extends ErrorKind>(kind: Kind) =>
  class extends TriadError {
    readonly kind = kind;
  };

export class InvalidInput extends errorOf('invalid_input') {}
export class Unauthenticated extends errorOf('unauthenticated') {}
/** The caller is known and may not do this. */
export class Forbidden extends errorOf('forbidden') {}
/** The thing does not exist, or not for this caller. */
export class NotFound extends errorOf('not_found') {}
/** The thing changed meanwhile, or exists already. */
export class Conflict extends errorOf('conflict') {}
export class TooLarge extends errorOf('too_large') {}
export class TooManyRequests extends errorOf('too_many_requests') {}
/** This installation cannot do that. Never approximated. */
export class Unsupported extends errorOf('unsupported') {}
/** Something the program needs does not answer now. A retry may succeed. */
export class Unavailable extends errorOf('unavailable') {}
/** A server that the request was passed on to failed, or its answer is not usable. */
export class UpstreamFailed extends errorOf('upstream_failed') {}
/** A server that the request was passed on to did not answer in time. */
export class UpstreamTimedOut extends errorOf('upstream_timed_out') {}

/** Returns true for an error of this program, by its shape, also across module copies and threads. */
export function isTriadError(error: unknown): error is TriadError {
  return error instanceof Error && 'kind' in error && 'code' in error && typeof error.code === 'string';
}

/** Returns true when the thing changed meanwhile or exists already. */
export function isConflict(error: unknown): error is TriadError {
  return isTriadError(error) && error.kind === 'conflict';
}

/** Returns true when a dependency of the program does not answer. */
export function isUnavailable(error: unknown): error is TriadError {
  return isTriadError(error) && error.kind === 'unavailable';
}

/** Returns the message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
