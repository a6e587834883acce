import { parseJson } from '../../json/lossless-json.ts';
import type { Tables } from '../coordination.ts';
import { namesWithPrefix } from './names-with-prefix.ts';
import { type RedisConnection, redisScript } from './redis-connection.ts';

/** KEYS: table. ARGV: key. Returns the value that was there. */
const TAKE = redisScript(`
  local value = redis.call('HGET', KEYS[1], ARGV[1])
  if value then redis.call('HDEL', KEYS[1], ARGV[1]) end
  return value
`);
/** KEYS: table. Returns the number of entries that there were. */
const DROP = redisScript(`
  local count = redis.call('HLEN', KEYS[1])
  redis.call('UNLINK', KEYS[1])
  return count
`);

/** A table is a hash. */
export function redisTables(connection: RedisConnection, prefix: string): Tables {
  const start = `${prefix}:table:{`;
  const name = (table: string) => `${start}${table}}`;
  return {
    async put(table, key, value) {
      await connection.call((redis) => redis.hset(name(table), key, textOf(value)));
    },
    async putAll(table, entries) {
      const values = Object.entries(entries).flatMap(([key, value]) => [key, textOf(value)]);
      if (values.length === 0) return connection.assertOpen();
      await connection.call((redis) => redis.hset(name(table), ...values));
    },
    putIfAbsent: async (table, key, value) =>
      (await connection.call((redis) => redis.hsetnx(name(table), key, textOf(value)))) === 1,
    get: async (table, key) => parsed(await connection.call((redis) => redis.hget(name(table), key))),
    take: async (table, key) => parsed((await connection.run(TAKE, [name(table)], [key])) as string | null),
    async entries(table) {
      const found = await connection.call((redis) => redis.hgetall(name(table)));
      return new Map(Object.entries(found).map(([key, text]) => [key, parseJson(text)] as const));
    },
    size: (table) => connection.call((redis) => redis.hlen(name(table))),
    drop: async (table) => Number(await connection.run(DROP, [name(table)], [])),
    list: (wanted) => namesWithPrefix(connection, start, wanted, '}'),
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function parsed(text: string | null): unknown {
  return text === null ? undefined : parseJson(text);
}
