import { randomUUID } from 'node:crypto';
import { MAX_PRIORITIES, type QueueItem, type Queues, readQueueItem, type WaitingItem } from '../coordination.ts';
import { namesWithPrefix } from './names-with-prefix.ts';
import type { Look, Notifications } from './notifications.ts';
import { ACKNOWLEDGE, CLEAR, GIVE_BACK, LENGTH, OLDEST, PEEK, PUSH, TAKE, TAKE_BY_ID } from './queue-scripts.ts';
import { integerMilliseconds, type RedisConnection, type RedisScript } from './redis-connection.ts';

const DEFAULT_VISIBILITY = 60_000;

/** Runs each operation as one script: no crash leaves an item in between. The server has the clock. */
export function redisQueues(connection: RedisConnection, calls: Notifications, prefix: string): Queues {
  /** The braces keep the keys of a queue together where Redis spreads keys over several servers. */
  const nameOf = (queue: string) => `${prefix}:queue:{${queue}}`;
  const channelOf = (queue: string) => `${nameOf(queue)}:calls`;
  const run = (script: RedisScript, queue: string, values: readonly (string | number)[] = []) =>
    connection.run(
      script,
      ['waiting', 'taken', 'items', 'holders', 'last', 'ids'].map((key) => `${nameOf(queue)}:${key}`),
      values,
    );

  const takeNow = async <T>(queue: string, max: number, visibility: number): Promise<Look<readonly QueueItem<T>[]>> => {
    const receipt = randomUUID();
    const itemOf = (number: string, text: string): QueueItem<T> => ({
      item: readQueueItem(text) as T,
      acknowledge: async () => {
        await run(ACKNOWLEDGE, queue, [number]);
      },
      giveBack: async () => {
        await run(GIVE_BACK, queue, [number, receipt, channelOf(queue)]);
      },
    });
    for (;;) {
      const values = [max, integerMilliseconds(visibility), receipt];
      const answer = await run(TAKE, queue, values);
      const [first, ...given] = answer as [number, ...string[]];
      if (first === 0) continue;
      const found: QueueItem<T>[] = [];
      for (let index = 0; index < given.length; index += 2) {
        found.push(itemOf(String(given[index]), String(given[index + 1])));
      }
      // What others have taken comes back at a time that is known.
      return { found: found.length > 0 ? found : undefined, again: first === -1 ? undefined : first };
    }
  };

  return {
    async push(queue, given, { priority = 0, ids } = {}) {
      if (given.length === 0) return connection.assertOpen();
      const values = given.flatMap((item, index) => {
        const text = JSON.stringify(item) ?? 'null';
        return ids === undefined ? [text] : [ids[index] ?? randomUUID(), text];
      });
      await run(PUSH, queue, [-priority, channelOf(queue), ids === undefined ? '-' : 'i', ...values]);
    },
    async take<T>(queue: string, { max = 1, wait = 0, visibility = DEFAULT_VISIBILITY } = {}) {
      connection.assertOpen();
      return (await calls.search(channelOf(queue), wait, () => takeNow<T>(queue, max, visibility))) ?? [];
    },
    async takeById<T>(queue: string, id: string) {
      const text = await run(TAKE_BY_ID, queue, [id]);
      return text === null ? undefined : (readQueueItem(String(text)) as T);
    },
    async peek<T>(queue: string, { max = 1, from = 'next' }: { readonly max?: number; readonly from?: string } = {}) {
      if (max <= 0) return [];
      for (;;) {
        const [first, ...found] = (await run(PEEK, queue, [max, from])) as [number, ...string[]];
        if (first === 0) continue;
        return Array.from({ length: found.length / 4 }, (_, index): WaitingItem<T> => {
          const [number, score, id, text] = found.slice(4 * index, 4 * index + 4);
          return {
            item: readQueueItem(String(text)) as T,
            ...(id === '' ? {} : { id: String(id) }),
            // Not -0.
            priority: 0 - Number(score),
            pushedAt: Math.floor(Number(number) / 1000),
          };
        });
      }
    },
    length: async (queue) => Number(await run(LENGTH, queue)),
    async oldest(queue) {
      for (;;) {
        const [first, number] = (await run(OLDEST, queue, [MAX_PRIORITIES])) as [number, string?];
        if (first === 0) continue;
        return number === undefined ? undefined : Math.floor(Number(number) / 1000);
      }
    },
    clear: async (queue) => Number(await run(CLEAR, queue)),
    list: (start) => namesWithPrefix(connection, `${prefix}:queue:{`, start, '}:items'),
  };
}
