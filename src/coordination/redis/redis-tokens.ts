import { parseJson } from '../../json/lossless-json.ts';
import type { Tokens } from '../coordination.ts';
import { escapePattern, integerMilliseconds, type RedisConnection } from './redis-connection.ts';
import { scanKeys } from './scan-keys.ts';

/** Keys that the server looks at in one step of a search for a prefix. */
const SCAN_STEP = 1000;

export function redisTokens(connection: RedisConnection, prefix: string): Tokens {
  const name = (key: string) => `${prefix}:token:${key}`;
  return {
    async put(key, value, lifetime) {
      const time = integerMilliseconds(lifetime);
      const text = JSON.stringify(value) ?? 'null';
      await connection.call<unknown>((redis) =>
        // The server refuses an expiry of 0.
        time === 0 ? redis.unlink(name(key)) : redis.set(name(key), text, 'PX', time),
      );
    },
    get: async (key) => parsed(await connection.call((redis) => redis.get(name(key)))),
    take: async (key) => parsed(await connection.call((redis) => redis.getdel(name(key)))),
    remove: async (key) => (await connection.call((redis) => redis.unlink(name(key)))) === 1,

    /** Looks at every key of the server, a thousand a step. Tokens put meanwhile may stay. */
    async removeWithPrefix(start) {
      const pattern = `${escapePattern(name(start))}*`;
      let removed = 0;
      let cursor = '0';
      do {
        const [next, keys] = await connection.call((redis) => redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_STEP));
        if (keys.length > 0) removed += await connection.call((redis) => redis.unlink(...keys));
        cursor = next;
      } while (cursor !== '0');
      return removed;
    },
    async *scan(start) {
      for await (const found of scanKeys(connection, name(''), start)) {
        yield found.map(({ key, text, lifetime }) => ({ key, value: parsed(text), expiresAt: Date.now() + lifetime }));
      }
    },
  };
}

function parsed(text: string | null): unknown {
  return text === null ? undefined : parseJson(text);
}
