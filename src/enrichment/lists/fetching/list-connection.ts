import { createRequire } from 'node:module';
import type { Dispatcher, Pool } from 'undici';
import { messageOf } from '../../../errors/errors.ts';
import { openSourcePool } from '../../sources/source-pool.ts';
import { ListProblem, type ListSettings } from '../list-entry.ts';

const require = createRequire(import.meta.url);

/** Time limits in milliseconds: without a byte, and of all requests of one update. */
const SILENCE = 30_000;
const WHOLE = 30 * 60_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

type RequestMethod = (this: Pool, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>;

export interface ListAnswer {
  readonly status: number;
  /** Address that answered, without credentials and query. */
  readonly place: string;
  readonly header: (name: string) => string | undefined;
  /** The body as it was sent. Has to be read, or the connection closed. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface ListConnectionOptions {
  readonly signal: AbortSignal;
  /** For tests: milliseconds of silence, and of all requests together. */
  readonly silence?: number;
  readonly whole?: number;
}

/**
 * Sends the requests of one update of a list. Link-local addresses are refused at each connection.
 * Credentials go to the server that the settings name, and not to those that it redirects to.
 */
export class ListConnection {
  readonly #pools = new Map<string, Pool>();
  readonly #signal: AbortSignal;
  readonly #silence: number;
  readonly #home: string;
  readonly #authorization: string | undefined;

  constructor(list: ListSettings, { signal, silence = SILENCE, whole = WHOLE }: ListConnectionOptions) {
    this.#signal = AbortSignal.any([signal, AbortSignal.timeout(whole)]);
    this.#silence = silence;
    const url = URL.parse(list.url ?? '');
    this.#home = url?.origin ?? '';
    this.#authorization = authorizationOf(list, url);
  }

  /**
   * Returns the answer to GET, if it is 2xx or 304. Follows redirects.
   * @throws ListProblem
   */
  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<ListAnswer> {
    let url = withoutCredentials(address);
    for (let redirects = 0; ; redirects += 1) {
      const place = `${url.origin}${url.pathname}`;
      const { statusCode: status, headers: given, body } = await this.#request(url, place, headers);
      const header = (name: string) => [given[name] ?? []].flat()[0];
      if (REDIRECTS.has(status)) {
        discard(body);
        if (redirects === MAX_REDIRECTS) throw new ListProblem(place, `it redirects more than ${MAX_REDIRECTS} times`);
        url = redirectOf(url, header('location'), place);
        continue;
      }
      if (status === 304 || (status >= 200 && status < 300)) {
        return { status, place, header, bytes: this.#read(body, place) };
      }
      discard(body);
      throw new ListProblem(place, refusalOf(status, header('retry-after')));
    }
  }

  /** Ends what is under way and closes the connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  async #request(url: URL, place: string, headers: Readonly<Record<string, string>>): Promise<Dispatcher.ResponseData> {
    const pool = this.#pools.get(url.origin) ?? openSourcePool(url.origin);
    this.#pools.set(url.origin, pool);
    const authorization = url.origin === this.#home ? this.#authorization : undefined;
    try {
      // The method of pools is in the main module of undici alone, which is large.
      const request: RequestMethod = require('undici/lib/api/api-request.js');
      return await request.call(pool, {
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: {
          'user-agent': 'triad',
          accept: '*/*',
          'accept-encoding': 'gzip, identity',
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
        },
        headersTimeout: this.#silence,
        bodyTimeout: this.#silence,
        signal: this.#signal,
      });
    } catch (error) {
      throw this.#problem(place, error);
    }
  }

  async *#read(body: AsyncIterable<Buffer>, place: string): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      throw this.#problem(place, error);
    }
  }

  #problem(place: string, error: unknown): ListProblem {
    const isLate = this.#signal.aborted && (this.#signal.reason as Error).name === 'TimeoutError';
    const { code = '' } = error as { readonly code?: string };
    const reason = isLate
      ? 'it takes more than 30 minutes'
      : (REASONS.get(code) ?? `it cannot be read (${messageOf(error)})`);
    return new ListProblem(place, reason, { cause: error });
  }
}

/** Ends an answer that is not read. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}

/** Codes of undici and of the system → reason. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_CONNECT_TIMEOUT', 'there is no connection within 10 seconds'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the server is silent for more than 30 seconds'],
  ['UND_ERR_BODY_TIMEOUT', 'the server is silent for more than 30 seconds'],
  ['UND_ERR_SOCKET', 'the connection broke in the middle of the answer'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the answer is shorter than the server announced'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too large'],
  ['ECONNRESET', 'the connection broke in the middle of the answer'],
  ['ECONNREFUSED', 'the server refuses connections'],
  ['ENOTFOUND', 'the name of the server is not known'],
]);

function refusalOf(status: number, retryAfter: string | undefined): string {
  const hint = status === 401 || status === 403 ? '. Check `username` and `password`, or `api_key`' : '';
  const later = retryAfter === undefined ? '' : `. The server wants no request before ${pauseOf(retryAfter)}`;
  return `the server answers ${status}${hint}${later}`;
}

/** Returns the time of a `Retry-After` header (RFC 9110 section 10.2.3). */
function pauseOf(retryAfter: string): string {
  if (/^[0-9]{1,9}$/.test(retryAfter)) return `${retryAfter} seconds have passed`;
  const time = Date.parse(retryAfter);
  return Number.isNaN(time) ? 'later' : new Date(time).toISOString();
}

function redirectOf(from: URL, location: string | undefined, place: string): URL {
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (to === null || !/^https?:$/.test(to.protocol))
    throw new ListProblem(place, 'it redirects to an address that is not one of HTTP');
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new ListProblem(place, `it redirects to ${to.origin}, which is not encrypted`);
  }
  return withoutCredentials(to.href);
}

function withoutCredentials(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new ListProblem('url', 'it is not an address. Use one that starts with http:// or https://');
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function authorizationOf(
  { api_key: key, username, password, format }: ListSettings,
  url: URL | null,
): string | undefined {
  if (key !== null) return format === 'taxii' ? `Bearer ${key}` : key;
  const name = username ?? decodeURIComponent(url?.username ?? '');
  const secret = password ?? decodeURIComponent(url?.password ?? '');
  if (name === '' && secret === '') return undefined;
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}
