import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import type { CoordinationSubject, OpenCoordination } from '../conformance/index.ts';
import type { Coordination } from '../coordination.ts';
import { openRedisCoordination } from './redis-coordination.ts';

/**
 * The adapter as the conformance suite takes it, on a real server, `wrap` round everything that it
 * sees.
 */
export function redisSubject(wrap: (coordination: Coordination) => Coordination = (it) => it): CoordinationSubject {
  const { url, unavailable } = outsideServer('redis');
  const opened: Coordination[] = [];
  // A test that fails leaves its connections, and they would keep the process.
  after(async () => {
    await Promise.all(opened.map((coordination) => coordination.close()));
  });
  const openOne = async (prefix: string): Promise<Coordination> => {
    const coordination = await openRedisCoordination({ url, prefix });
    opened.push(coordination);
    return wrap(coordination);
  };
  return {
    name: 'Redis',
    keepsState: true,
    open: () => open(url, `test-${randomUUID()}`, openOne),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

async function open(
  url: string,
  prefix: string,
  openOne: (prefix: string) => Promise<Coordination>,
): Promise<OpenCoordination> {
  const coordination = await openOne(prefix);
  const peer = await openOne(prefix);
  const close = coordination.close.bind(coordination);
  let finished = false;
  return {
    coordination: {
      ...coordination,
      close: async () => {
        await close();
        if (!finished) await removeKeys(url, prefix);
        finished = true;
      },
    },
    peer,
    // The clock is the server's: time passes for real.
    advance: (milliseconds) => sleep(Math.min(milliseconds, 1000)),
    restart: async () => {
      finished = true;
      await Promise.all([close(), peer.close()]);
      return open(url, prefix, openOne);
    },
  };
}

/** Removes everything that an installation has on a server. */
export async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1000 })) {
    if (keys.length > 0) await redis.unlink(...keys);
  }
  await redis.quit();
}
