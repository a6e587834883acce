import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import { sortedJson } from '../../../json/sorted-json.ts';
import type { LookupFlags, SourceCall, SourceClient, SourceSelector } from '../source-client.ts';
import { SourceFailure } from '../source-failure.ts';
import { isRepeatedStatus, MAX_ATTEMPTS, pauseBefore, retryTimeOf } from './call-repetition.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { ACCEPTED_ENCODINGS, MAX_ANSWER_BYTES, readEnvelope } from './plugin-envelope.ts';
import { type AddressTest, openSourcePool } from './source-pool.ts';

export interface HttpSourceClientOptions {
  /** Address that the paths of the protocol follow; a path in it is kept. */
  readonly url: string;
  /** Returns false for addresses that no connection is made to, in addition to link-local ones. */
  readonly isAllowedAddress?: AddressTest | undefined;
  /** Bytes of an answer, after unpacking. Default: 10 MB. */
  readonly maxAnswerBytes?: number;
}

interface Request {
  readonly method: 'GET' | 'POST';
  /** Below the address of the source, with a slash in front. */
  readonly path: string;
  readonly body?: string;
  readonly call: SourceCall;
  /** True for calls that may be made again, because they change nothing. */
  readonly isRepeatable: boolean;
}

/** Shares of the time of a caller, and fewest seconds, that a source is told. */
const TOLD_SHARE = 0.95;
const MIN_TOLD_SECONDS = 0.5;

/**
 * Speaks the protocol of plugins over HTTP (contract/enrichment.md section 4). Connections are
 * made at the first call.
 */
export class HttpSourceClient implements SourceClient {
  readonly #options: HttpSourceClientOptions;
  readonly #basePath: string;
  readonly #origin: string;
  readonly #closing = new AbortController();
  #pool: Pool | undefined;

  constructor(options: HttpSourceClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.#options = options;
    this.#origin = origin;
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
    this.#closing.abort();
    await this.#pool?.destroy();
  }

  async #ask(request: Request): Promise<unknown> {
    const answer = await this.#answer(request);
    return readEnvelope(answer, this.#options.maxAnswerBytes);
  }

  async #answer({ method, path, body, call, isRepeatable }: Request): Promise<HttpAnswer> {
    if (this.#closing.signal.aborted) throw new SourceFailure('cancelled', 'the source was removed');
    this.#pool ??= openSourcePool(this.#origin, this.#options.isAllowedAddress);
    const { signal, deadline } = call;
    const request: Dispatcher.DispatchOptions = {
      method,
      path: this.#basePath + path,
      headers: headersOf(call),
      body: body ?? null,
    };
    const limits = { signal, deadline, maxBytes: this.#options.maxAnswerBytes ?? MAX_ANSWER_BYTES };
    for (let attempt = 1; ; attempt += 1) {
      const began = Date.now();
      let retryAt: number | undefined;
      try {
        const answer = await exchange(this.#pool, request, limits);
        if (!isRepeatedStatus(answer.status)) return answer;
        retryAt = retryTimeOf(answer, Date.now());
        const pause = isRepeatable ? nextPause(attempt, { began, deadline, retryAt }) : undefined;
        if (pause === undefined) return answer;
        await this.#pause(pause, signal);
      } catch (error) {
        if (!isRepeatable || !(error instanceof SourceFailure) || !error.isReset) throw error;
        const pause = nextPause(attempt, { began, deadline });
        if (pause === undefined) throw error;
        await this.#pause(pause, signal);
      }
    }
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await wait(milliseconds, undefined, { signal: AbortSignal.any([signal, this.#closing.signal]) }).catch(() => {
      throw new SourceFailure('cancelled', 'the caller is gone');
    });
  }
}

function nextPause(
  attempt: number,
  times: { readonly began: number; readonly deadline: number; readonly retryAt?: number | undefined },
): number | undefined {
  return attempt < MAX_ATTEMPTS ? pauseBefore(attempt, { ...times, now: Date.now() }) : undefined;
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
  const told = Math.max(TOLD_SHARE * maxTimeout, MIN_TOLD_SECONDS);
  let query = `limit=${limit}&max_timeout=${decimal(told)}&deadline=${decimal(Date.now() / 1000 + told)}`;
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
  // Nobody may take it for a step to another folder.
  if (text === '.' || text === '..') return text.replaceAll('.', '%252e');
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/%[\dA-F]{2}/g, (digits) => digits.toLowerCase());
}
