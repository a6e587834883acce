import { LRUCache } from 'lru-cache';
import { isObject } from '../../json/json-object.ts';
import { ACCEPTED_ENCODINGS, parsedBody, rejectRedirect } from '../sources/http/answer-body.ts';
import {
  type HttpAnswer,
  retryTimeOf,
  SourceConnection,
  type SourceRequest,
} from '../sources/http/source-connection.ts';
import type { SourceCall } from '../sources/source-client.ts';
import { SourceFailure } from '../sources/source-failure.ts';
import type { Adapter, StatusMeaning, VendorRequest } from './adapter.ts';

export interface VendorAccessOptions {
  readonly adapter: Pick<Adapter, 'title' | 'key' | 'statuses' | 'statusField'>;
  /** Name of the source, for messages. */
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  /** Called with each request and its answer. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** A request and its answer, for recordings. */
export interface Exchange {
  /** Address that the path of the request begins with. */
  readonly base: string;
  readonly request: SourceRequest;
  readonly answer: HttpAnswer;
}

const USUAL_STATUSES: Readonly<Record<string, StatusMeaning>> = {
  400: 'value',
  401: 'key',
  403: 'key',
  422: 'value',
  429: 'quota',
};
/** Maximum number of addresses with open connections; only registries have several. */
const MAX_CONNECTIONS = 50;
/** Longest time in milliseconds for which a vendor may reject calls. */
const MAX_PAUSE = 86_400_000;

/**
 * Sends requests to a vendor: the value, the key and nothing else. Remembers until when the vendor
 * rejects calls. Safe for concurrent use.
 */
export class VendorAccess {
  readonly #options: VendorAccessOptions;
  readonly #connections = new LRUCache<string, SourceConnection>({
    max: MAX_CONNECTIONS,
    dispose: (connection) => void connection.close(),
  });
  readonly #kept = new LRUCache<string, object>({ max: 10 });
  #pausedUntil = 0;

  constructor(options: VendorAccessOptions) {
    this.#options = options;
  }

  /**
   * Returns the JSON of the answer, undefined when the vendor knows nothing.
   * @param beforeRequest waits until a request may be made; not called for a cached answer
   * @throws SourceFailure
   */
  async send(wanted: VendorRequest, call: SourceCall, beforeRequest: () => Promise<void>): Promise<unknown> {
    const kept = this.#kept.get(wanted.path);
    if (kept !== undefined) return kept;
    await beforeRequest();
    const answer = await this.#ask(wanted, call);
    const { keep } = wanted;
    if (keep !== undefined && isObject(answer)) this.#kept.set(wanted.path, answer, { ttl: keep * 1000 });
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }

  async #ask(wanted: VendorRequest, call: SourceCall): Promise<unknown> {
    const { adapter, name, url, key, onExchange } = this.#options;
    if (lacksKey(adapter, key)) throw missingKey(name);
    if (this.#pausedUntil > Date.now()) throw new SourceFailure('refused', this.#pauseText());
    const sentKey = adapter.key && key !== undefined ? { ...adapter.key, value: key } : undefined;
    const base = wanted.base ?? url;
    const request = { ...requestOf(wanted, base, sentKey), call };
    const answer = await this.#connectionTo(new URL(base).origin).send(request);
    onExchange?.({ base, request, answer });
    rejectRedirect(answer);
    const { status } = answer;
    if (status >= 400) return this.#mean(this.#meaningOf(String(status)), answer);
    const body = await parsedBody(answer);
    if (adapter.statusField === undefined) return body;
    const said = isObject(body) ? body[adapter.statusField] : undefined;
    if (said === 'ok') return body;
    return this.#mean(typeof said === 'string' ? this.#meaningOf(said) : undefined, answer);
  }

  #connectionTo(origin: string): SourceConnection {
    const known = this.#connections.get(origin);
    if (known !== undefined) return known;
    const connection = new SourceConnection(origin);
    this.#connections.set(origin, connection);
    return connection;
  }

  #meaningOf(status: string): StatusMeaning | undefined {
    const { statuses = {} } = this.#options.adapter;
    return [statuses, USUAL_STATUSES].find((table) => Object.hasOwn(table, status))?.[status];
  }

  /** Returns undefined for `unknown`, throws for every other status. */
  #mean(meaning: StatusMeaning | undefined, answer: HttpAnswer): undefined {
    const { adapter, name, key } = this.#options;
    const { title } = adapter;
    if (meaning === 'unknown') return undefined;
    if (meaning === 'value') throw refusal(422, `${title} cannot look up this value.`);
    if (meaning === 'key') {
      throw refusal(
        401,
        key === undefined
          ? `${title} refused the request.`
          : `${title} did not accept the API key of ${name}. An administrator checks enrichment.adapter_keys.${name}.`,
      );
    }
    if (meaning === 'quota') {
      const now = Date.now();
      const retryAt = retryTimeOf(answer, now);
      if (retryAt === undefined) throw refusal(429, `${title} accepts no calls at the moment.`);
      this.#pausedUntil = Math.min(retryAt, now + MAX_PAUSE);
      throw refusal(429, this.#pauseText(), new Date(this.#pausedUntil));
    }
    const { status } = answer;
    if (status >= 500) throw new SourceFailure('status', `it answered with status ${status}`, { status });
    throw new SourceFailure('unusable', `it answered with the unknown status ${status}`);
  }

  #pauseText(): string {
    const next = new Date(this.#pausedUntil).toISOString();
    return `${this.#options.adapter.title} accepts no calls at the moment. The next call is possible at ${next}.`;
  }
}

/** Returns true if the vendor needs a key and none is set. */
export function lacksKey({ key: place }: Pick<Adapter, 'key'>, key: string | undefined): boolean {
  return key === undefined && place !== undefined && !place.isOptional;
}

/** Returns the failure of a source whose key is not set. */
export function missingKey(name: string): SourceFailure {
  return new SourceFailure(
    'refused',
    `${name} has no API key. An administrator sets it as enrichment.adapter_keys.${name}.`,
  );
}

function refusal(status: number, sentence: string, retryAt?: Date): SourceFailure {
  return new SourceFailure('status', sentence, { status, pluginMessage: sentence, retryAt });
}

interface SentKey {
  readonly in: 'header' | 'query';
  readonly name: string;
  readonly value: string;
}

function requestOf(
  { base, path, query, form, json, accept }: VendorRequest,
  address: string,
  key: SentKey | undefined,
): Omit<SourceRequest, 'call'> {
  // Only the vendor itself gets the key.
  const sentKey = base === undefined ? key : undefined;
  const headers: Record<string, string> = {
    accept: accept ?? 'application/json',
    'accept-encoding': ACCEPTED_ENCODINGS,
    'user-agent': 'triad',
  };
  const search = new URLSearchParams(query);
  if (sentKey?.in === 'header') headers[sentKey.name] = sentKey.value;
  if (sentKey?.in === 'query') search.set(sentKey.name, sentKey.value);
  let body: string | undefined;
  if (form !== undefined) {
    body = new URLSearchParams(form).toString();
    headers['content-type'] = 'application/x-www-form-urlencoded';
  } else if (json !== undefined) {
    body = JSON.stringify(json);
    headers['content-type'] = 'application/json';
  }
  const below = new URL(address).pathname.replace(/\/+$/, '') + path;
  return {
    method: body === undefined ? 'GET' : 'POST',
    path: search.size === 0 ? below : `${below}?${search}`,
    headers,
    body,
    isRepeatable: true,
  };
}
