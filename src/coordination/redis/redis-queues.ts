import { randomUUID } from 'node:crypto';
import { parseJson } from '../../json/lossless-json.ts';
import type { QueueItem, Queues } from '../coordination.ts';
import type { Look, Notifications } from './notifications.ts';
import { ACKNOWLEDGE, CLEAR, GIVE_BACK, LENGTH, PUSH, TAKE } from './queue-scripts.ts';
import { integerMilliseconds, type RedisConnection } from './redis-connection.ts';

const DEFAULT_VISIBILITY = 60_000;

/** Runs each operation as one script: no crash leaves an item in between. The server has the clock. */
export function redisQueues(connection: RedisConnection, calls: Notifications, prefix: string): Queues {
  /** The braces keep the keys of a queue together where Redis spreads keys over several servers. */
  const keysOf = (queue: string) => {
    const key = `${prefix}:queue:{${queue}}`;
    return {
      waiting: `${key}:waiting`,
      taken: `${key}:taken`,
      items: `${key}:items`,
      holders: `${key}:holders`,
      last: `${key}:last`,
      /** Channel of those who wait. */
      channel: `${key}:calls`,
    };
  };

  const takeNow = async <T>(queue: string, max: number, visibility: number): Promise<Look<readonly QueueItem<T>[]>> => {
    const { waiting, taken, items, holders, channel } = keysOf(queue);
    const receipt = randomUUID();
    const itemOf = (number: string, text: string): QueueItem<T> => ({
      item: parseJson(text) as T,
      acknowledge: async () => {
        await connection.run(ACKNOWLEDGE, [waiting, taken, items, holders], [number]);
      },
      giveBack: async () => {
        await connection.run(GIVE_BACK, [waiting, taken, holders], [number, receipt, channel]);
      },
    });
    for (;;) {
      const values = [max, integerMilliseconds(visibility), receipt];
      const answer = await connection.run(TAKE, [waiting, taken, items, holders], values);
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
      const { waiting, items, last, channel } = keysOf(queue);
      if (given.length === 0) return connection.assertOpen();
      const texts = given.map((item) => JSON.stringify(item) ?? 'null');
      await connection.run(PUSH, [waiting, items, last], [-priority, channel, ...texts]);
    },
    async take<T>(queue: string, { max = 1, wait = 0, visibility = DEFAULT_VISIBILITY } = {}) {
      connection.assertOpen();
      return (await calls.search(keysOf(queue).channel, wait, () => takeNow<T>(queue, max, visibility))) ?? [];
    },
    async length(queue) {
      const { waiting, taken } = keysOf(queue);
      return Number(await connection.run(LENGTH, [waiting, taken], []));
    },
    async clear(queue) {
      const { waiting, taken, items, holders } = keysOf(queue);
      return Number(await connection.run(CLEAR, [waiting, taken, items, holders], []));
    },
  };
}
