/** A request that was refused or failed, in the words that the server or the network gave. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Stable code of the error (docs/errors.md), where the server sends one. */
  readonly code: string | undefined;
  /** Dotted path or character position of the mistake in what was sent. */
  readonly at: string | number | undefined;
  /** Identifies a fault in the log of the server. */
  readonly errorId: string | undefined;
  /** Seconds until another try makes sense. */
  readonly retryAfter: number | undefined;
  /** Privileges, user types or roles of which the caller needs one. */
  readonly needs: readonly string[];
  /** Data that the server sent beside the sentence. */
  readonly response: unknown;
  /** Further members of `error`, for example the second factors of an account. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: ProblemDetails) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.at = details.at;
    this.errorId = details.errorId;
    this.retryAfter = details.retryAfter;
    this.needs = details.needs ?? [];
    this.response = details.response;
    this.details = details.details ?? {};
  }

  /** Returns the same problem with another sentence. */
  inOtherWords(sentence: string): ApiProblem {
    return new ApiProblem(sentence, this);
  }
}

export interface ProblemDetails {
  readonly status: number;
  readonly code?: string | undefined;
  readonly at?: string | number | undefined;
  readonly errorId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly needs?: readonly string[] | undefined;
  readonly response?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Returns the sentence of what was thrown. */
export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

const ERROR_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/;

/**
 * Reads a refusal of any of the services: the envelope with `api_error_message`, or
 * `{error: {message, code, at}}`.
 */
export function problemOf(response: Response, body: unknown): ApiProblem {
  const { status, headers } = response;
  const parts = record(body);
  const error = record(parts.error);
  const message =
    [parts.api_error_message, error.message, parts.message].find(isFilledString) ??
    `${status} ${response.statusText}`.trim();
  return new ApiProblem(message, {
    status,
    code: headers.get('x-error-code') ?? stringOf(error.code),
    at: positionOf(headers.get('x-error-at') ?? error.at),
    // Envelopes of the public systems have it in the message alone.
    errorId: status >= 500 ? (stringOf(error.error_id) ?? ERROR_ID.exec(message)?.[0]) : undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
    needs: headers.get('x-error-needs')?.split(', '),
    response: parts.api_response,
    details: error,
  });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isFilledString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function positionOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  return /^\d+$/.test(value) ? Number(value) : decodeURIComponent(value);
}

/** Returns the seconds of a `Retry-After` header that holds a number (RFC 9110 section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
