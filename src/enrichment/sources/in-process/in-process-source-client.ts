import { isObject } from '../../../json/json-object.ts';
import { startTimer } from '../../limits/start-timer.ts';
import type { LookupFlags, SourceCall, SourceClient, SourceSelector } from '../source-client.ts';
import { SourceFailure, sourceFailure } from '../source-failure.ts';

/** An action or a fetcher of a source in this process. */
export interface InProcessOperation {
  /** The definition that listings show. */
  readonly definition: unknown;
  run(input: unknown, call: SourceCall): Promise<unknown>;
}

/**
 * A source in this process. Its answers are those of a plugin, without the envelope, and are read
 * as strictly. The signal of a call aborts at the deadline, when the caller hangs up and when the
 * source is removed. An error that is thrown becomes the error of the source.
 */
export interface InProcessSource {
  /** Classifications by type. */
  types(): Readonly<Record<string, string>>;
  /** Returns `{type: {value: {items, error?}}}`. */
  lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown>;
  readonly actions?: Readonly<Record<string, InProcessOperation>>;
  readonly fetchers?: Readonly<Record<string, InProcessOperation>>;
}

/**
 * Calls a source in this process as if it were a plugin: with a deadline, once, and without trust
 * in its answers.
 */
export class InProcessSourceClient implements SourceClient {
  readonly #source: InProcessSource;
  readonly #closing = new AbortController();

  constructor(source: InProcessSource) {
    this.#source = source;
  }

  types(call: SourceCall): Promise<unknown> {
    return this.#within(call, async () => this.#source.types());
  }

  lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall): Promise<unknown> {
    return this.#within(call, (bounded) => this.#source.lookup(selectors, flags, bounded));
  }

  async lookupOne(type: string, value: string, flags: LookupFlags, call: SourceCall): Promise<unknown> {
    const { classification } = call.caller;
    const answer = await this.lookup([{ type, value, classification }], flags, call);
    const entry = ownValue(ownValue(answer, type), value);
    if (!isObject(entry)) return entry ?? [];
    if (typeof entry.error === 'string') {
      throw new SourceFailure('status', 'it answered with an error message', {
        status: 200,
        pluginMessage: entry.error,
      });
    }
    return entry.items;
  }

  actions(call: SourceCall): Promise<unknown> {
    return this.#within(call, async () => definitionsOf(this.#source.actions));
  }

  runAction(id: string, body: unknown, call: SourceCall): Promise<unknown> {
    return this.#within(call, (bounded) => operationOf(this.#source.actions, id).run(body, bounded));
  }

  fetchers(call: SourceCall): Promise<unknown> {
    return this.#within(call, async () => definitionsOf(this.#source.fetchers));
  }

  runFetcher(id: string, selector: unknown, call: SourceCall): Promise<unknown> {
    return this.#within(call, (bounded) => operationOf(this.#source.fetchers, id).run(selector, bounded));
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #within<T>(call: SourceCall, work: (call: SourceCall) => Promise<T>): Promise<T> {
    const { signal, deadline } = call;
    const closing = this.#closing.signal;
    return new Promise<T>((resolve, reject) => {
      const ending = new AbortController();
      const stop = (failure: SourceFailure) => {
        ending.abort(failure);
        settle();
        reject(failure);
      };
      const hangUp = () => stop(new SourceFailure('cancelled', 'the caller is gone'));
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', hangUp);
        closing.removeEventListener('abort', hangUp);
      };
      const left = deadline - Date.now();
      const expire = () => stop(new SourceFailure('timed_out', 'there was no answer before the deadline'));
      const timer = left > 0 ? startTimer(expire, left) : undefined;
      if (signal.aborted || closing.aborted) return hangUp();
      if (left <= 0) return expire();
      signal.addEventListener('abort', hangUp, { once: true });
      closing.addEventListener('abort', hangUp, { once: true });
      answerOf(work, { ...call, signal: ending.signal })
        .then(resolve, reject)
        .finally(settle);
    });
  }
}

async function answerOf<T>(work: (call: SourceCall) => Promise<T>, call: SourceCall): Promise<T> {
  try {
    return await work(call);
  } catch (error) {
    throw sourceFailure(error);
  }
}

function definitionsOf(operations: Readonly<Record<string, InProcessOperation>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(operations).map(([id, { definition }]) => [id, definition]));
}

function operationOf(operations: Readonly<Record<string, InProcessOperation>> = {}, id: string): InProcessOperation {
  const operation = Object.hasOwn(operations, id) ? operations[id] : undefined;
  if (operation !== undefined) return operation;
  throw new SourceFailure('status', `there is no "${id}"`, { status: 404, pluginMessage: `There is no "${id}".` });
}

function ownValue(record: unknown, key: string): unknown {
  return isObject(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}
