import type { Dispatcher, Pool } from 'undici';
import { messageOf } from '../../../errors/errors.ts';
import { startTimer } from '../../limits/start-timer.ts';
import { SourceFailure } from '../source-failure.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was sent, possibly compressed. */
  readonly body: Buffer;
}

export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Bytes of the body. */
  readonly maxBytes: number;
}

/** Codes of system and undici errors for a connection that was not made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set(
  (
    'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL ETIMEDOUT UND_ERR_CONNECT_TIMEOUT ' +
    'ADDRESS_REFUSED UND_ERR_DESTROYED'
  ).split(' '),
);
/** Codes for a connection that broke. */
const RESET: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED']);

/**
 * Sends a request and collects the answer.
 * Uses the dispatcher's own interface: a stream for each answer takes a third of the time of a small lookup.
 * @throws SourceFailure
 */
export function exchange(pool: Pool, request: Dispatcher.DispatchOptions, limits: ExchangeLimits): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const collecting = new CollectedAnswer(limits, resolve, reject);
    if (!collecting.isSettled) pool.dispatch(request, collecting);
  });
}

/**
 * Collects one answer within its limits. Settles once, at the deadline even before there is a
 * connection.
 */
class CollectedAnswer implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (failure: SourceFailure) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #hangUp = () => this.#stop(new SourceFailure('cancelled', 'the caller is gone'));
  #controller: Dispatcher.DispatchController | undefined;
  #failure: SourceFailure | undefined;
  #status = 0;
  #headers: HttpAnswer['headers'] = {};
  #chunks: Buffer[] = [];
  #length = 0;
  isSettled = false;

  constructor(limits: ExchangeLimits, resolve: (answer: HttpAnswer) => void, reject: (failure: SourceFailure) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    const { signal, deadline } = limits;
    const left = deadline - Date.now();
    if (signal.aborted) this.#hangUp();
    else if (left <= 0) this.#expire();
    else {
      this.#timer = startTimer(() => this.#expire(), left);
      signal.addEventListener('abort', this.#hangUp, { once: true });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: HttpAnswer['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const { maxBytes } = this.#limits;
    if (Number(headers['content-length']) > maxBytes) controller.abort(tooLarge(maxBytes));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    const { maxBytes } = this.#limits;
    if (this.#length > maxBytes) controller.abort(tooLarge(maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settle()) this.#reject(failureOf(error));
  }

  #expire(): void {
    this.#stop(new SourceFailure('timed_out', 'there was no answer before the deadline'));
  }

  #stop(failure: SourceFailure): void {
    this.#failure = failure;
    this.#controller?.abort(failure);
    if (this.#settle()) this.#reject(failure);
  }

  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    clearTimeout(this.#timer);
    this.#limits.signal.removeEventListener('abort', this.#hangUp);
    return true;
  }
}

function tooLarge(maxBytes: number): SourceFailure {
  return new SourceFailure('unusable', `the answer is larger than ${maxBytes} bytes`);
}

function failureOf(error: Error): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const { code = '' } = error as { readonly code?: string };
  const options = { cause: error };
  if (NOT_CONNECTED.has(code)) return new SourceFailure('unreachable', messageOf(error) || code, options);
  if (RESET.has(code)) return new SourceFailure('unreachable', messageOf(error), { ...options, isReset: true });
  if (code.startsWith('ERR_TLS') || code.includes('CERT') || code === 'EPROTO') {
    return new SourceFailure('unreachable', messageOf(error), options);
  }
  return new SourceFailure('unusable', messageOf(error), options);
}
