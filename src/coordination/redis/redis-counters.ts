import { randomUUID } from 'node:crypto';
import type { Counters } from '../coordination.ts';
import { integerMilliseconds, type RedisConnection, redisScript } from './redis-connection.ts';
import { scanKeys } from './scan-keys.ts';

/** KEYS: counter. ARGV: by, lifetime, 1 to renew. */
const INCREMENT = redisScript(`
  local count = redis.call('INCRBY', KEYS[1], ARGV[1])
  if ARGV[3] == '1' or redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return count
`);

/** KEYS: slots by their end. ARGV: limit, lifetime, name. Returns 1 when the slot is held now. */
const ENTER = redisScript(`
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) and not redis.call('ZSCORE', KEYS[1], ARGV[3]) then return 0 end
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[3])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 1
`);

/** Counters are numbers with an expiry, slots a sorted set. Every clock is the server's. */
export function redisCounters(connection: RedisConnection, prefix: string): Counters {
  const counter = (key: string) => `${prefix}:counter:${key}`;
  const slots = (key: string) => `${prefix}:places:${key}`;
  return {
    async increment(key, lifetime, { by = 1, renew = false } = {}) {
      return Number(
        await connection.run(INCREMENT, [counter(key)], [by, integerMilliseconds(lifetime), renew ? 1 : 0]),
      );
    },
    get: async (key) => Number((await connection.call((redis) => redis.get(counter(key)))) ?? 0),
    remove: async (key) => (await connection.call((redis) => redis.unlink(counter(key)))) === 1,
    async *scan(start) {
      for await (const found of scanKeys(connection, counter(''), start)) {
        yield found.map(({ key, text, lifetime }) => ({ key, count: Number(text), expiresAt: Date.now() + lifetime }));
      }
    },
    async enter(key, limit, lifetime, slot = randomUUID()) {
      const values = [limit, integerMilliseconds(lifetime), slot];
      return (await connection.run(ENTER, [slots(key)], values)) === 1 ? slot : undefined;
    },
    async leave(key, slot) {
      await connection.call((redis) => redis.zrem(slots(key), slot));
    },
  };
}
