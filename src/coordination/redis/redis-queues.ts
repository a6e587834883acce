import { randomUUID } from 'node:crypto';
import { parseJson } from '../../json/lossless-json.ts';
import type { QueueItem, Queues } from '../coordination.ts';
import type { Look, Notifications } from './notifications.ts';
import { ACKNOWLEDGE, CLEAR, GIVE_BACK, LENGTH, PUSH, TAKE } from './queue-scripts.ts';
import { integerMilliseconds, type RedisConnection } from './redis-connection.ts';

const DEFAULT_VISIBILITY = 60_000;

interface QueueKeys {
  readonly waiting: string;
  readonly taken: string;
  readonly items: string;
  readonly holders: string;
  readonly last: string;
  /** Channel of those who wait. */
  readonly channel: string;
}

/** Runs each operation as one script: no crash leaves an item between two places. */
export class RedisQueues implements Queues {
  readonly #connection: RedisConnection;
  readonly #calls: Notifications;
  readonly #prefix: string;

  constructor(connection: RedisConnection, calls: Notifications, prefix: string) {
    this.#connection = connection;
    this.#calls = calls;
    this.#prefix = prefix;
  }

  async push(queue: string, items: readonly unknown[], options: { readonly priority?: number } = {}): Promise<void> {
    const { waiting, items: stored, last, channel } = this.#keys(queue);
    if (items.length === 0) return this.#connection.assertOpen();
    const texts = items.map((item) => JSON.stringify(item) ?? 'null');
    await this.#connection.run(PUSH, [waiting, stored, last], [-(options.priority ?? 0), channel, ...texts]);
  }

  async take<T>(
    queue: string,
    options: { readonly max?: number; readonly wait?: number; readonly visibility?: number } = {},
  ): Promise<readonly QueueItem<T>[]> {
    this.#connection.assertOpen();
    const keys = this.#keys(queue);
    const { max = 1, wait = 0, visibility = DEFAULT_VISIBILITY } = options;
    const items = await this.#calls.search(keys.channel, wait, () => this.#takeNow<T>(keys, max, visibility));
    return items ?? [];
  }

  async length(queue: string): Promise<number> {
    const { waiting, taken } = this.#keys(queue);
    return Number(await this.#connection.run(LENGTH, [waiting, taken], []));
  }

  async clear(queue: string): Promise<number> {
    const { waiting, taken, items, holders } = this.#keys(queue);
    return Number(await this.#connection.run(CLEAR, [waiting, taken, items, holders], []));
  }

  async #takeNow<T>(keys: QueueKeys, max: number, visibility: number): Promise<Look<readonly QueueItem<T>[]>> {
    const receipt = randomUUID();
    for (;;) {
      const [first, ...taken] = (await this.#connection.run(
        TAKE,
        [keys.waiting, keys.taken, keys.items, keys.holders],
        [max, integerMilliseconds(visibility), receipt],
      )) as [number, ...string[]];
      if (first === 0) continue;
      const items: QueueItem<T>[] = [];
      for (let index = 0; index < taken.length; index += 2) {
        items.push(this.#item(keys, String(taken[index]), String(taken[index + 1]), receipt));
      }
      // What others have taken comes back at a time that is known.
      return { found: items.length > 0 ? items : undefined, again: first === -1 ? undefined : first };
    }
  }

  #item<T>(keys: QueueKeys, number: string, text: string, receipt: string): QueueItem<T> {
    return {
      item: parseJson(text) as T,
      acknowledge: async () => {
        await this.#connection.run(ACKNOWLEDGE, [keys.waiting, keys.taken, keys.items, keys.holders], [number]);
      },
      giveBack: async () => {
        await this.#connection.run(
          GIVE_BACK,
          [keys.waiting, keys.taken, keys.holders],
          [number, receipt, keys.channel],
        );
      },
    };
  }

  /** The braces keep the keys of a queue together where Redis spreads keys over several servers. */
  #keys(queue: string): QueueKeys {
    const key = `${this.#prefix}:queue:{${queue}}`;
    return {
      waiting: `${key}:waiting`,
      taken: `${key}:taken`,
      items: `${key}:items`,
      holders: `${key}:holders`,
      last: `${key}:last`,
      channel: `${key}:calls`,
    };
  }
}
