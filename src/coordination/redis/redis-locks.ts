import { randomUUID } from 'node:crypto';
import type { Lock, Locks } from '../coordination.ts';
import type { Notifications } from './notifications.ts';
import { integerMilliseconds, type RedisConnection, redisScript } from './redis-connection.ts';

/** KEYS: lock. ARGV: owner, lease. Returns -1 when it is ours, else the milliseconds of its lease. */
const ACQUIRE = redisScript(`
  if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return -1 end
  return redis.call('PTTL', KEYS[1])
`);

/** KEYS: lock. ARGV: owner, lease. 1 when it was still the owner's. */
const RENEW = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** KEYS: lock. ARGV: owner, channel of those who wait. */
const RELEASE = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('DEL', KEYS[1])
  redis.call('PUBLISH', ARGV[2], 1)
  return 1
`);

/** A lock is a key with the random name of its owner that expires with the lease. */
export class RedisLocks implements Locks {
  readonly #connection: RedisConnection;
  readonly #calls: Notifications;
  readonly #prefix: string;

  constructor(connection: RedisConnection, calls: Notifications, prefix: string) {
    this.#connection = connection;
    this.#calls = calls;
    this.#prefix = `${prefix}:lock:`;
  }

  async acquire(name: string, lease: number, options: { readonly wait?: number } = {}): Promise<Lock | undefined> {
    this.#connection.assertOpen();
    const owner = randomUUID();
    return this.#calls.search(this.#channel(name), options.wait ?? 0, async () => {
      const heldFor = Number(
        await this.#connection.run(ACQUIRE, [this.#prefix + name], [owner, Math.max(1, integerMilliseconds(lease))]),
      );
      return heldFor === -1 ? { found: this.#lock(name, owner) } : { found: undefined, again: heldFor };
    });
  }

  #lock(name: string, owner: string): Lock {
    const key = this.#prefix + name;
    return {
      renew: async (lease) => (await this.#connection.run(RENEW, [key], [owner, integerMilliseconds(lease)])) === 1,
      // What was done under the lock is done, whether the server hears of its end or not: then the lease ends it.
      release: async () => {
        await this.#connection.run(RELEASE, [key], [owner, this.#channel(name)]).catch(() => undefined);
      },
    };
  }

  #channel(name: string): string {
    return `${this.#prefix}${name}:released`;
  }
}
