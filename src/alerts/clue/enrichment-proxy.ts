import { isObject } from '../../documents/schema/plain-objects.ts';
import { messageOf, NotFound, UpstreamFailed, UpstreamTimedOut } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';
import type { Actor } from '../../identity/actor.ts';
import { boundedFetch } from '../../identity/limits/bounded-fetch.ts';
import type { ProxyTokens } from './proxy-tokens.ts';

export interface EnrichmentProxyDependencies {
  /** Address of the enrichment service: `core.clue.url`. */
  readonly url: string;
  readonly tokens: Pick<ProxyTokens, 'tokenFor'>;
  readonly log: Log;
  /** Milliseconds for a whole request. Default: five minutes. */
  readonly timeout?: number;
}

export interface ProxiedRequest {
  readonly method: 'GET' | 'POST';
  /** Path below the address of the service and query, percent-encoded as the caller sent them. */
  readonly target: string;
  /** Sent as JSON. Undefined: nothing is sent. */
  readonly body: unknown;
  /** `Authorization` of the caller. */
  readonly authorization: string | undefined;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
}

const TIMEOUT = 5 * 60_000;
/** Bytes of an answer. */
const MAX_SIZE = 32 * 1024 * 1024;
/** Text of the public system, which its web interface shows. */
const FAILED = 'Something went wrong when connecting to clue';

/**
 * Passes requests on to the enrichment service with the rights of the caller.
 * See contract/alert.md section 6.4.
 */
export class EnrichmentProxy {
  readonly #dependencies: EnrichmentProxyDependencies;
  readonly #base: string;

  constructor(dependencies: EnrichmentProxyDependencies) {
    this.#dependencies = dependencies;
    this.#base = new URL(dependencies.url).href.replace(/\/+$/, '');
  }

  /**
   * Returns `api_response` of the answer.
   * @throws NotFound `unknown_path` for a path above the service; UpstreamFailed `enrichment_failed` with the answer
   * of the service in `response`; UpstreamTimedOut `enrichment_timed_out`
   */
  async forward(actor: Actor, request: ProxiedRequest): Promise<unknown> {
    const url = new URL(`${this.#base}/${request.target}`).href;
    if (!url.startsWith(`${this.#base}/`)) throw new NotFound('unknown_path', `There is no ${request.target} here.`);
    const token = await this.#dependencies.tokens.tokenFor(actor, request.authorization);
    const answer = await this.#send(url, token, request);
    const body = await readJson(answer);
    if (!answer.ok) throw new UpstreamFailed('enrichment_failed', FAILED, { response: body ?? {} });
    if (!isObject(body)) throw this.#failed(new Error('the answer is not in the envelope of the service'));
    return body.api_response ?? null;
  }

  async #send(url: string, token: string, { method, body, signal }: ProxiedRequest): Promise<Response> {
    const { timeout = TIMEOUT } = this.#dependencies;
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const options: RequestInit =
      body === undefined
        ? { method, headers }
        : { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    try {
      // A redirect would choose the server that gets the token.
      return await boundedFetch(url, { ...options, signal, redirect: 'error' }, { timeout, size: MAX_SIZE });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof Error && error.name === 'TimeoutError') {
        const message = `The enrichment service did not answer within ${timeout / 1000} seconds.`;
        throw new UpstreamTimedOut('enrichment_timed_out', message, { cause: error });
      }
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): UpstreamFailed {
    const { log, url } = this.#dependencies;
    const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    log.warn({ err: error, url }, `the enrichment service at core.clue.url cannot be used: ${reason}`);
    return new UpstreamFailed('enrichment_failed', FAILED, { cause: error });
  }
}

/** Returns undefined for an answer that is not JSON. */
async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
}
