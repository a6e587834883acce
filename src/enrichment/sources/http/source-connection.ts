import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import type { SourceCall } from '../source-client.ts';
import { SourceFailure } from '../source-failure.ts';
import { type AddressTest, openSourcePool } from '../source-pool.ts';
import { isRepeatedStatus, MAX_ATTEMPTS, pauseBefore, retryTimeOf } from './call-repetition.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { MAX_ANSWER_BYTES } from './plugin-envelope.ts';

export interface SourceConnectionOptions {
  /** Returns false for addresses that no connection is made to, in addition to link-local ones. */
  readonly isAllowedAddress?: AddressTest | undefined;
  /** Bytes of an answer. Default: 10 MB. */
  readonly maxAnswerBytes?: number | undefined;
}

export interface SourceRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** From the root of the server, with a slash in front. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly call: Pick<SourceCall, 'signal' | 'deadline'>;
  /** True for calls that may be made again, because they change nothing. */
  readonly isRepeatable: boolean;
}

/**
 * Sends requests to one server over connections that are made at the first request and kept alive.
 * Requests that may be repeated are sent again after 429, 5xx and broken connections, within their deadline.
 */
export class SourceConnection {
  readonly #origin: string;
  readonly #options: SourceConnectionOptions;
  readonly #closing = new AbortController();
  #pool: Pool | undefined;

  /** @param origin scheme, host and port */
  constructor(origin: string, options: SourceConnectionOptions = {}) {
    this.#origin = origin;
    this.#options = options;
  }

  /** Returns the answer of any status. @throws SourceFailure */
  async send({ method, path, headers, body, call, isRepeatable }: SourceRequest): Promise<HttpAnswer> {
    if (this.#closing.signal.aborted) throw new SourceFailure('cancelled', 'the source was removed');
    const { isAllowedAddress, maxAnswerBytes = MAX_ANSWER_BYTES } = this.#options;
    this.#pool ??= openSourcePool(this.#origin, isAllowedAddress);
    const { signal, deadline } = call;
    const request: Dispatcher.DispatchOptions = { method, path, headers, body: body ?? null };
    const limits = { signal, deadline, maxBytes: maxAnswerBytes };
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

  /** Ends what is under way and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool?.destroy();
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
