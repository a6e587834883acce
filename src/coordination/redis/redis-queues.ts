import { randomUUID } from 'node:crypto';
import { type QueueItem, type Queues, readQueueItem } from '../coordination.ts';
import type { Look, Notifications } from './notifications.ts';
import { ACKNOWLEDGE, CLEAR, GIVE_BACK, LENGTH, PUSH, TAKE } from './queue-scripts.ts';
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
      ['waiting', 'taken', 'items', 'holders', 'last'].map((key) => `${nameOf(queue)}:${key}`),
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
    async push(queue, given, { priority = 0 } = {}) {
      if (given.length === 0) return connection.assertOpen();
      const texts = given.map((item) => JSON.stringify(item) ?? 'null');
      await run(PUSH, queue, [-priority, channelOf(queue), ...texts]);
    },
    async take<T>(queue: string, { max = 1, wait = 0, visibility = DEFAULT_VISIBILITY } = {}) {
      connection.assertOpen();
      return (await calls.search(channelOf(queue), wait, () => takeNow<T>(queue, max, visibility))) ?? [];
    },
    length: async (queue) => Number(await run(LENGTH, queue)),
    clear: async (queue) => Number(await run(CLEAR, queue)),
  };
}
