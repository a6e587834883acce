import { sortedJson } from '../../../json/sorted-json.ts';
import type { LookupFlags, SourceCall, SourceClient, SourceSelector } from '../source-client.ts';
import { ACCEPTED_ENCODINGS } from './answer-body.ts';
import { readEnvelope } from './plugin-envelope.ts';
import { SourceConnection, type SourceConnectionOptions, type SourceRequest } from './source-connection.ts';

export interface HttpSourceClientOptions extends SourceConnectionOptions {
  /** Address that the paths of the protocol follow; a path in it is kept. */
  readonly url: string;
}

interface Request extends Pick<SourceRequest, 'method' | 'body' | 'isRepeatable'> {
  /** Below the address of the source, with a slash in front. */
  readonly path: string;
  readonly call: SourceCall;
}

/** Fraction of the time of a caller, and minimum in seconds, that a source gets. */
const SENT_SHARE = 0.95;
const MIN_SENT_SECONDS = 0.5;

/**
 * Speaks the protocol of plugins over HTTP (contract/enrichment.md section 4). Connections are
 * made at the first call.
 */
export class HttpSourceClient implements SourceClient {
  readonly #connection: SourceConnection;
  readonly #basePath: string;
  readonly #maxAnswerBytes: number | undefined;

  constructor(options: HttpSourceClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.#connection = new SourceConnection(origin, options);
    this.#maxAnswerBytes = options.maxAnswerBytes;
    this.#basePath = pathname.replace(/\/+$/, '');
  }

  types(call: SourceCall): Promise<unknown> {
    return this.#ask({ method: 'GET', path: '/types/', call, isRepeatable: true });
  }

  lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown> {
    const path = `/lookup/?${queryOf(flags)}`;
    return this.#ask({ method: 'POST', path, body: bodyOf(selectors), call, isRepeatable: true });
  }

  lookupOne(type: string, value: string, flags: LookupFlags, call: SourceCall): Promise<unknown> {
    const path = `/lookup/${encoded(type)}/${encoded(encoded(value))}/?${queryOf(flags)}`;
    return this.#ask({ method: 'GET', path, call, isRepeatable: true });
  }

  actions(call: SourceCall): Promise<unknown> {
    return this.#ask({ method: 'GET', path: '/actions/', call, isRepeatable: true });
  }

  runAction(id: string, body: unknown, call: SourceCall): Promise<unknown> {
    const path = `/actions/${encoded(id)}`;
    return this.#ask({ method: 'POST', path, body: sortedJson(body), call, isRepeatable: false });
  }

  fetchers(call: SourceCall): Promise<unknown> {
    return this.#ask({ method: 'GET', path: '/fetchers/', call: withoutOriginal(call), isRepeatable: true });
  }

  runFetcher(id: string, selector: unknown, call: SourceCall): Promise<unknown> {
    const path = `/fetchers/${encoded(id)}`;
    return this.#ask({
      method: 'POST',
      path,
      body: sortedJson(selector),
      call: withoutOriginal(call),
      isRepeatable: false,
    });
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #ask(request: Request): Promise<unknown> {
    const { path, call } = request;
    const sent = { ...request, path: this.#basePath + path, headers: headersOf(call) };
    return readEnvelope(await this.#connection.send(sent), this.#maxAnswerBytes);
  }
}

function headersOf({ token, originalToken }: SourceCall): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
    'accept-encoding': ACCEPTED_ENCODINGS,
  };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (originalToken !== undefined) headers['x-clue-authorization'] = originalToken;
  return headers;
}

function withoutOriginal(call: SourceCall): SourceCall {
  return call.originalToken === undefined ? call : { ...call, originalToken: undefined };
}

function queryOf({ limit, maxTimeout, noAnnotation, includeRaw, noCache }: LookupFlags): string {
  const sent = Math.max(SENT_SHARE * maxTimeout, MIN_SENT_SECONDS);
  let query = `limit=${limit}&max_timeout=${decimal(sent)}&deadline=${decimal(Date.now() / 1000 + sent)}`;
  if (noAnnotation) query += '&no_annotation=True';
  if (includeRaw) query += '&include_raw=True';
  if (noCache) query += '&no_cache=True';
  return query;
}

/** Returns the number as Python writes a float, for plugins that read nothing else. */
function decimal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function bodyOf(selectors: readonly SourceSelector[]): string {
  return JSON.stringify(
    selectors.map(({ type, value, classification, sources }) =>
      sources ? { type, value, classification, sources } : { type, value, classification },
    ),
  );
}

/**
 * Percent-encodes as the public system does: reserved characters included, hexadecimal digits in
 * lower case.
 */
function encoded(text: string): string {
  // No server may read it as a step to another folder.
  if (text === '.' || text === '..') return text.replaceAll('.', '%252e');
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase());
}
