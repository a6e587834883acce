import { randomUUID } from 'node:crypto';
import type { Coordination } from '../../coordination/coordination.ts';
import type { WatchMessage } from './progress/facts.ts';

const PREFIX = 'watch:';
/** Milliseconds that a queue lives after the last message or read. */
const LIFETIME = 30_000;
/** Milliseconds between two renewals of the life of a queue that is read all the time. */
const RENEWAL = 5000;
/** Messages that one read takes. */
const BATCH = 1000;
const ID = /^D-[^\s/]{1,120}-WQ$/;

/** Queues by which callers follow a submission (contract/analysis.md section 7.6). */
export class WatchQueues {
  readonly #coordination: Pick<Coordination, 'queues' | 'tokens'>;
  readonly #renewed = new Map<string, number>();

  constructor(coordination: Pick<Coordination, 'queues' | 'tokens'>) {
    this.#coordination = coordination;
  }

  static isId(text: string): boolean {
    return ID.test(text);
  }

  static newId(): string {
    return `D-${randomUUID()}-WQ`;
  }

  async push(ids: readonly string[], messages: readonly WatchMessage[]): Promise<void> {
    for (const id of ids) {
      await this.#keep(id);
      await this.#coordination.queues.push(PREFIX + id, messages);
    }
  }

  /** Takes the messages that wait, at most `max`, waiting up to `wait` milliseconds for the first. */
  async take(id: string, { max = BATCH, wait = 0 } = {}): Promise<readonly WatchMessage[]> {
    const items = await this.#coordination.queues.take<WatchMessage>(PREFIX + id, { max, wait });
    if (items.length > 0) await this.#keep(id);
    for (const item of items) await item.acknowledge();
    return items.map(({ item }) => item);
  }

  /** Removes queues that were neither read nor written for their lifetime. */
  async sweep(): Promise<void> {
    const { queues, tokens } = this.#coordination;
    for (const name of await queues.list(PREFIX)) {
      if ((await tokens.get(name)) === undefined) await queues.clear(name);
    }
    const before = performance.now() - LIFETIME;
    for (const [id, time] of this.#renewed) if (time < before) this.#renewed.delete(id);
  }

  async #keep(id: string): Promise<void> {
    const now = performance.now();
    if (now - (this.#renewed.get(id) ?? Number.NEGATIVE_INFINITY) < RENEWAL) return;
    this.#renewed.set(id, now);
    await this.#coordination.tokens.put(PREFIX + id, 1, LIFETIME);
  }
}
