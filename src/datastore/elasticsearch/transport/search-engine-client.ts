import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError, type TriadError, Unavailable, Unsupported } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import {
  answerError,
  connectionError,
  isBusyAnswer,
  isLastingProblem,
  timeoutError,
  wasNeverSent,
  wrongVendor,
} from './engine-errors.ts';
import { addressesOf, checkHosts, type EngineHost } from './engine-host.ts';
import type { EngineAnswer, EngineRequest, SearchEngine } from './search-engine.ts';
import type { RawAnswer, VendorTransport } from './vendor-transport.ts';

export interface SearchEngineOptions {
  readonly vendor: 'elasticsearch' | 'opensearch';
  readonly hosts: readonly EngineHost[];
  /** Milliseconds that a request may take, with all its repetitions. */
  readonly transportTimeout: number;
  /** Certificates of additional trusted authorities, in PEM format. Default none. */
  readonly certificates?: readonly string[];
  readonly logger: DatastoreLogger;
}

/** Supported versions: of each major one those from the first minor one with points in time. */
const VERSIONS: Readonly<Record<SearchEngine['vendor'], readonly (readonly [major: number, minor: number])[]>> = {
  elasticsearch: [
    [8, 0],
    [9, 0],
  ],
  opensearch: [
    [2, 4],
    [3, 0],
  ],
};

/** Milliseconds. */
const PAUSES = { first: 50, longest: 2000 };

/** Connects and identifies the cluster; throws `datastore_unsupported` for another vendor or version. */
export async function openSearchEngine(options: SearchEngineOptions): Promise<SearchEngine> {
  const { vendor, hosts, certificates = [] } = options;
  checkHosts(hosts);
  // Each client takes a while to load, and only one is ever needed.
  const transport =
    vendor === 'elasticsearch'
      ? (await import('./elasticsearch-transport.ts')).openElasticsearchTransport(hosts, certificates)
      : (await import('./opensearch-transport.ts')).openOpensearchTransport(hosts, certificates);
  const engine = new SearchEngineClient(options, transport);
  try {
    await engine.recognise();
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

class SearchEngineClient implements SearchEngine {
  readonly vendor: 'elasticsearch' | 'opensearch';
  readonly #transport: VendorTransport;
  readonly #timeout: number;
  readonly #addresses: string;
  readonly #logger: DatastoreLogger;
  version = '';
  #closed = false;
  /** True if the last request got a response: failures are logged once, not for every request. */
  #answers = true;

  constructor({ vendor, hosts, transportTimeout, logger }: SearchEngineOptions, transport: VendorTransport) {
    this.vendor = vendor;
    this.#transport = transport;
    this.#timeout = transportTimeout;
    this.#addresses = addressesOf(hosts);
    this.#logger = logger;
  }

  /** Asks the server for its name and version, and refuses those that the adapter is not made for. */
  async recognise(): Promise<void> {
    const { body } = await this.request<{ version?: { number?: string; distribution?: string } }>({
      path: '/',
    });
    const { number, distribution } = body.version ?? {};
    if (number === undefined || (distribution === 'opensearch') !== (this.vendor === 'opensearch')) {
      throw wrongVendor(this.vendor, this.#addresses);
    }
    const [major = 0, minor = 0] = number.split('.').map(Number);
    const versions = VERSIONS[this.vendor];
    if (!versions.some(([own, least]) => own === major && least <= minor)) {
      const names = versions.map(([own, least]) => (least === 0 ? own : `${own}.${least}`));
      const message = `The search engine at ${this.#addresses} is ${this.vendor} ${number}. Versions ${names.join(' and ')} are supported: upgrade it, or use another.`;
      throw new Unsupported('datastore_unsupported', message);
    }
    this.version = number;
  }

  async request<Body = unknown>(request: EngineRequest): Promise<EngineAnswer<Body>> {
    if (this.#closed) throw new Unavailable('datastore_unavailable', 'The connection to the search engine was closed.');
    const { signal, timeout = this.#timeout } = request;
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeout);
    const ended = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
    const trouble: { last?: unknown } = {};
    try {
      const answer = await this.#ask(request, ended, trouble);
      this.#noteAnswer();
      return answer as EngineAnswer<Body>;
    } catch (error) {
      signal?.throwIfAborted();
      const seen = deadline.signal.aborted ? timeoutError(timeout, this.#addresses, trouble.last) : error;
      if (isTriadError(seen) && seen.kind === 'unavailable') this.#noteTrouble(seen);
      throw seen;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#transport.close();
  }

  /** Asks until there is an answer that counts, or until the signal ends it. */
  async #ask(request: EngineRequest, ended: AbortSignal, trouble: { last?: unknown }): Promise<EngineAnswer<unknown>> {
    const repeatable = request.repeatable ?? request.method !== 'POST';
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { status, text, headers } = await unlessEnded(this.#transport.send(request, ended), ended);
        const body = bodyOf(text, headers);
        if (status < 400 || request.accept?.includes(status)) return { status, body };
        const error = answerError(status, body, `${request.method ?? 'GET'} ${request.path}`);
        // 429: the server says that it has not begun.
        if (!isBusyAnswer(status, body) || !(repeatable || status === 429)) throw error;
        trouble.last = error;
      } catch (given) {
        const error = withoutRequest(given);
        if (ended.aborted || isLastingProblem(error)) throw connectionError(error, this.#addresses);
        if (!isConnectionTrouble(error)) throw error;
        if (!repeatable && !wasNeverSent(error)) throw connectionError(error, this.#addresses);
        trouble.last = error;
      }
      await sleep(exponentialBackoff(attempt, PAUSES), undefined, { signal: ended });
    }
  }

  #noteAnswer(): void {
    if (this.#answers) return;
    this.#answers = true;
    this.#logger.info({ hosts: this.#addresses }, 'The search engine answers again.');
  }

  #noteTrouble(error: TriadError): void {
    if (!this.#answers || error.code === 'write_blocked') return;
    this.#answers = false;
    this.#logger.warn({ err: error, hosts: this.#addresses }, error.message);
  }
}

function bodyOf(text: string, headers: RawAnswer['headers']): unknown {
  if (text === '') return undefined;
  return String(headers['content-type'] ?? '').includes('json') ? parseJson(text) : text;
}

/** The clients end a request when they are told to, but not while its answer is being read. */
async function unlessEnded<T>(sent: Promise<T>, ended: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(ended.reason);
  ended.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([sent, promise]);
  } finally {
    ended.removeEventListener('abort', end);
  }
}

function isConnectionTrouble(error: unknown): error is Error {
  return (
    error instanceof Error &&
    ['ConnectionError', 'TimeoutError', 'NoLivingConnectionsError', 'RequestAbortedError'].includes(error.name)
  );
}

/** Removes the request from a client error, because its header contains credentials, never logged. */
function withoutRequest(error: unknown): unknown {
  if (!isConnectionTrouble(error)) return error;
  const { name, message } = error;
  return Object.defineProperty(new Error(message), 'name', { value: name });
}

/** Milliseconds after an attempt, from 0 on; half by chance, so that callers do not return all at once. */
export function exponentialBackoff(
  attempt: number,
  { first, longest }: { readonly first: number; readonly longest: number },
): number {
  const whole = Math.min(longest, first * 2 ** attempt);
  return whole / 2 + (Math.random() * whole) / 2;
}
