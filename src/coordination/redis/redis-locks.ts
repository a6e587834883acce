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
export function redisLocks(connection: RedisConnection, calls: Notifications, prefix: string): Locks {
  return {
    async acquire(name, lease, { wait = 0 } = {}) {
      connection.assertOpen();
      const key = `${prefix}:lock:${name}`;
      const channel = `${key}:released`;
      const owner = randomUUID();
      const lock: Lock = {
        renew: async (longer) => (await connection.run(RENEW, [key], [owner, integerMilliseconds(longer)])) === 1,
        // What was done under the lock is done, whether the server hears of its end or not: then the lease ends it.
        release: async () => {
          await connection.run(RELEASE, [key], [owner, channel]).catch(() => undefined);
        },
      };
      return calls.search(channel, wait, async () => {
        const heldFor = Number(await connection.run(ACQUIRE, [key], [owner, Math.max(1, integerMilliseconds(lease))]));
        return heldFor === -1 ? { found: lock } : { found: undefined, again: heldFor };
      });
    },
  };
}
