import { setTimeout as wait } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import type { SourceCall } from '../source-client.ts';
import { SourceFailure, sourceFailure } from '../source-failure.ts';
import { type AddressTest, openSourcePool } from '../source-pool.ts';
import { MAX_ANSWER_BYTES } from './answer-body.ts';
import { isRepeatedStatus, MAX_ATTEMPTS, pauseBefore, retryTimeOf } from './call-repetition.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';

export { type HttpAnswer, retryTimeOf };

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
  readonly call: Pick<SourceCall, 'signal' | 'deadline' | 'anotherRequest'>;
  /** True for calls that may be made again, because they change nothing. */
  readonly isRepeatable: boolean;
}

/**
 * Sends requests to one server over connections that are made at the first request and kept alive.
 * Requests that may be repeated are sent again after 429, 5xx and broken connections, within their
 * deadline and the rates of the source.
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
    const attempts = isRepeatable ? MAX_ATTEMPTS : 1;
    for (let attempt = 1; ; attempt += 1) {
      const began = Date.now();
      const outcome = await exchange(this.#pool, request, limits).catch(sourceFailure);
      const isFailure = outcome instanceof Error;
      if (isFailure ? !outcome.isReset : !isRepeatedStatus(outcome.status)) return answerOf(outcome);
      const now = Date.now();
      const retryAt = isFailure ? undefined : retryTimeOf(outcome, now);
      const pause = attempt < attempts ? pauseBefore(attempt, { began, now, deadline, retryAt }) : undefined;
      if (pause === undefined) return answerOf(outcome);
      await this.#pause(pause, signal);
      if (!(await isAnotherAllowed(call))) return answerOf(outcome);
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

function answerOf(outcome: HttpAnswer | Error): HttpAnswer {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** Returns false when the rates of the source allow no more requests: then the last answer counts. */
async function isAnotherAllowed({ anotherRequest }: SourceRequest['call']): Promise<boolean> {
  try {
    await anotherRequest?.();
    return true;
  } catch {
    return false;
  }
}
