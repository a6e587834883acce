import { type ErrorKind, isTriadError } from '../../errors/errors.ts';

/** The one table from errors to HTTP statuses. */
const STATUS_OF_ERROR: Readonly<Record<ErrorKind, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  unsupported: 501,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timed_out: 504,
};

/** The refusals that belong to HTTP alone: no kind of error describes them, so they carry their status. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: 405 | 415;
  readonly code: string;

  constructor(status: 405 | 415, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An error that the caller may be told about. */
export interface Refusal {
  readonly status: number;
  /** Stable snake_case code of the error. */
  readonly code: string;
  readonly message: string;
  /** Data beside the message, when a client relies on it; undefined: the service's plain failure. */
  readonly response?: unknown;
  /** Position of the mistake in the input, as the error says it. */
  readonly at?: string | number | undefined;
  /** Identifier of a fault, which the log has, too. */
  readonly errorId?: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Privileges, user types or roles of which the caller needs one. */
  readonly needs?: readonly string[] | undefined;
}

/** Default of `Retry-After` in seconds, which every 503 has (RFC 9110 section 15.6.4). */
const USUAL_RETRY = 5;

/** Longest value of a path parameter, in characters. */
export const MAX_PARAMETER_LENGTH = 8192;

/** The refusals of Fastify that the caller caused. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'body_too_large',
    message: 'The request body is larger than this server accepts. Send it in smaller parts.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'The Content-Type header cannot be read. Send application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'body_truncated',
    message: 'The request body is not as long as its Content-Length says.',
  },
  FST_ERR_BAD_URL: { status: 400, code: 'invalid_path', message: 'The path is not a valid percent-encoded text.' },
  FST_ERR_MAX_PARAM_LENGTH: {
    status: 414,
    code: 'path_too_long',
    message: `A segment of the path is longer than ${MAX_PARAMETER_LENGTH} characters, which is the limit.`,
  },
  ECONNRESET: { status: 400, code: 'body_truncated', message: 'The connection ended before the request body did.' },
};

/** Statuses by code where the clients of a service rely on another than the kind of the error has. */
export type ErrorStatuses = Readonly<Record<string, number>>;

/** Returns the refusal for the caller; undefined for a fault, which only the log describes. */
export function refusalOf(error: unknown, statuses?: ErrorStatuses): Refusal | undefined {
  if (isTriadError(error)) {
    return {
      status: statuses?.[error.code] ?? STATUS_OF_ERROR[error.kind],
      code: error.code,
      message: error.message,
      response: error.response,
      at: error.at,
      needs: error.needs,
      retryAfter: error.retryAfter ?? (error.kind === 'unavailable' ? USUAL_RETRY : undefined),
    };
  }
  if (error instanceof HttpRefusal) return { status: error.status, code: error.code, message: error.message };
  if (error instanceof Error && 'code' in error) return FRAMEWORK_REFUSALS[String(error.code)];
  return undefined;
}
