/** The server behind the adapter, of either vendor. `request` hides the clients of both vendors. */
export interface SearchEngine {
  readonly vendor: 'elasticsearch' | 'opensearch';
  readonly version: string;
  /**
   * Sends one request; retries connection errors, 429 and 503 with backoff within the timeout.
   * Not if `repeatable` is false. Throws the errors of `engine-errors.ts`; no error of a vendor leaves the adapter.
   */
  request<Body = unknown>(request: EngineRequest): Promise<EngineAnswer<Body>>;
  close(): Promise<void>;
}

export interface EngineRequest {
  /** Default: `GET`. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  /** Names inside are percent-encoded by the caller (`encodeURIComponent`). */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Newline-delimited JSON instead of `body`, for `_bulk` and `_msearch`; a string is JSON already. */
  readonly lines?: readonly unknown[];
  /** Milliseconds; default: the transport timeout of the configuration. */
  readonly timeout?: number;
  /** True if the request is idempotent. Default: true except for POST. */
  readonly repeatable?: boolean;
  /** Statuses from 400 on that are answers, such as 404 of a document. Default none. */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal;
}

export interface EngineAnswer<Body> {
  readonly status: number;
  /** Whole numbers beyond 2^53 are bigint. Undefined for HEAD. */
  readonly body: Body;
}
