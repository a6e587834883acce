import { randomUUID } from 'node:crypto';
import type { Counters } from '../coordination.ts';
import { integerMilliseconds, type RedisConnection, redisScript } from './redis-connection.ts';

/** KEYS: counter. ARGV: by, lifetime, 1 to renew. */
const INCREMENT = redisScript(`
  local count = redis.call('INCRBY', KEYS[1], ARGV[1])
  if ARGV[3] == '1' or redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return count
`);

/** KEYS: places by their end. ARGV: limit, lifetime, name. Returns 1 when the place is held now. */
const ENTER = redisScript(`
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) and not redis.call('ZSCORE', KEYS[1], ARGV[3]) then return 0 end
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[3])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 1
`);

/** Counters are numbers with an expiry, places a sorted set. Every clock is the server's. */
export class RedisCounters implements Counters {
  readonly #connection: RedisConnection;
  readonly #counters: string;
  readonly #places: string;

  constructor(connection: RedisConnection, prefix: string) {
    this.#connection = connection;
    this.#counters = `${prefix}:counter:`;
    this.#places = `${prefix}:places:`;
  }

  async increment(
    key: string,
    lifetime: number,
    options: { readonly by?: number; readonly renew?: boolean } = {},
  ): Promise<number> {
    const values = [options.by ?? 1, integerMilliseconds(lifetime), options.renew === true ? 1 : 0];
    return Number(await this.#connection.run(INCREMENT, [this.#counters + key], values));
  }

  async get(key: string): Promise<number> {
    return Number((await this.#connection.call((redis) => redis.get(this.#counters + key))) ?? 0);
  }

  async enter(key: string, limit: number, lifetime: number, place: string = randomUUID()): Promise<string | undefined> {
    const values = [limit, integerMilliseconds(lifetime), place];
    return (await this.#connection.run(ENTER, [this.#places + key], values)) === 1 ? place : undefined;
  }

  async leave(key: string, place: string): Promise<void> {
    await this.#connection.call((redis) => redis.zrem(this.#places + key, place));
  }
}
