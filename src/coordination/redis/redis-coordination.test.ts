import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { type StartedServer, startServer } from '../../../test/servers/start-server.ts';
import { freePort } from '../../testing/servers/free-port.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import { selfSignedCertificate } from '../../testing/servers/self-signed-certificate.ts';
import type { Coordination } from '../coordination.ts';
import { removeKeys } from './conformance-subjects.ts';
import { readRedisAddress } from './redis-address.ts';
import { openRedisCoordination, type RedisCoordinationOptions } from './redis-coordination.ts';

const { url, unavailable } = outsideServer('redis');
const skip = unavailable ?? false;
/** Needs percent-encoding in an address. */
const PASSWORD = 'p@ss:w/örd%';

describe('the address of a Redis server', () => {
  it('has host, port, user, password, database and TLS, and is shown without the secret', () => {
    assert.deepEqual(readRedisAddress('rediss://ada:p%40ss%3A@redis.example:7000/3'), {
      host: 'redis.example',
      port: 7000,
      username: 'ada',
      password: 'p@ss:',
      database: 3,
      tls: true,
      shown: 'rediss://redis.example:7000/3',
    });
    const { host, port, username, password, database, tls, shown } = readRedisAddress('redis://:secret@[::1]');
    assert.deepEqual([host, port, username, password, database, tls], ['::1', 6379, undefined, 'secret', 0, false]);
    assert.equal(shown, 'redis://[::1]:6379/0');
    assert.equal(readRedisAddress('redis://h/').database, 0);
  });

  it('is refused when something in it would be ignored, without telling the password', () => {
    for (const wrong of [
      'http://:secret@h',
      'redis://',
      'h:6379',
      'redis://:secret@h/x',
      'redis://:secret@h/0/1',
      'redis://:secret@h/0?db=3',
      'redis://:secret%@h',
    ]) {
      assert.throws(
        () => readRedisAddress(wrong),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'invalid_setting', wrong);
          assert.ok(!inspect(error).includes('secret'), wrong);
          return true;
        },
      );
    }
  });
});

describe('opening coordination on Redis', { skip }, () => {
  let folder = '';
  let server: StartedServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redis-tls-'));
    server = await startServer('redis', { env: { PASSWORD } });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const addressOf = (credentials: string, database = 0): string =>
    `redis://${credentials}@127.0.0.1:${server.port}/${database}`;
  const right = encodeURIComponent(PASSWORD);

  it('works with the password, with user and password, and in another database', async () => {
    for (const [credentials, database] of [
      [`:${right}`, 0],
      [`default:${right}`, 7],
    ] as const) {
      const coordination = await open({ url: addressOf(credentials, database), prefix: 'opened' });
      assert.equal(await coordination.tokens.get('mine'), undefined);
      await coordination.tokens.put('mine', database, 60_000);
      assert.equal(await coordination.tokens.get('mine'), database);
      await coordination.close();
    }
  });

  it('says in one sentence what is wrong, what is meant, and never the password', async () => {
    const silent = createServer(() => undefined);
    const port = await new Promise<number>((resolve) =>
      silent.listen(0, '127.0.0.1', () => {
        const address = silent.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      }),
    );
    const failures: Record<string, RegExp> = {
      [addressOf(':wrong-secret')]: /refuses the user name or password.*coordination\.url/,
      [addressOf(`nobody:${right}`)]: /refuses the user name or password/,
      [`redis://127.0.0.1:${server.port}`]: /wants a password/,
      [addressOf(`:${right}`, 99)]: /has no such database .*coordination\.url/,
      'redis://:secret@127.0.0.1:1': /redis:\/\/127\.0\.0\.1:1\/0 refuses connections/,
      'redis://:secret@nowhere.invalid': /redis:\/\/nowhere\.invalid:6379\/0 cannot be found/,
      [`redis://:secret@127.0.0.1:${port}`]: /does not answer/,
      [`rediss://:${right}@127.0.0.1:${server.port}`]: /does not speak TLS/,
    };
    try {
      await Promise.all(
        Object.entries(failures).map(async ([wrong, message]) => {
          const began = performance.now();
          await assert.rejects(
            openRedisCoordination({ url: wrong, prefix: 'refused' }),
            (error: Error & { code?: string }) => {
              assert.equal(error.code, 'coordination_unavailable', wrong);
              assert.match(error.message, message);
              assert.equal(error.message.split('\n').length, 1);
              assert.ok(
                !/secret|p@ss|p%40ss/.test(inspect(error, { depth: 9, showHidden: true })),
                inspect(error, { depth: 9 }),
              );
              return true;
            },
          );
          assert.ok(performance.now() - began < 5000, `${wrong} took too long`);
        }),
      );
    } finally {
      silent.close();
    }
  });

  it('speaks TLS with a certificate that it was given, and with no other', async () => {
    const { certificate, certificateFile: file, keyFile } = selfSignedCertificate(folder);
    const tlsPort = await freePort();
    const settings = clientOf(addressOf(`:${right}`));
    await settings.config('SET', 'tls-cert-file', file, 'tls-key-file', keyFile, 'tls-ca-cert-file', file);
    await settings.config('SET', 'tls-auth-clients', 'no');
    await settings.config('SET', 'tls-port', String(tlsPort));
    const secure = `rediss://:${right}@127.0.0.1:${tlsPort}/2`;
    const coordination = await open({ url: secure, prefix: 'tls', certificates: [certificate] });
    await coordination.tokens.put('over TLS', 1, 60_000);
    assert.equal(await coordination.tokens.get('over TLS'), 1);
    assert.deepEqual(await coordination.health(), { ok: true, detail: '' });
    await coordination.close();
    await assert.rejects(open({ url: secure, prefix: 'tls' }), {
      message: /has a certificate that is not trusted .*cert_directory/,
    });
  });

  it('lets many wait without asking again and again', async () => {
    const coordination = await open({ url: addressOf(`:${right}`), prefix: 'quiet' });
    const settings = clientOf(addressOf(`:${right}`));
    const calls = async (): Promise<number> =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await settings.info('commandstats'))?.[1] ?? 0);
    await coordination.queues.take('quiet');
    const earlier = await calls();
    const waiting = Array.from({ length: 50 }, () => coordination.queues.take('quiet', { wait: 1500 }));
    assert.deepEqual((await Promise.all(waiting)).flat(), []);
    // Each looks, listens, looks again, once more after a second, and at the end. Asking all the time would be thousands.
    assert.ok((await calls()) - earlier <= 50 * 8);
    await coordination.close();
  });

  it('warns of a server that forgets queued work in a crash or drops it when it is full', async () => {
    const warned: string[] = [];
    const logger = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message) };
    const settings = clientOf(addressOf(`:${right}`));
    await settings.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await (await open({ url: addressOf(`:${right}`), prefix: 'warned', logger })).close();
    assert.equal(warned.length, 2);
    assert.match(warned[0] ?? '', /keeps no append-only file.*appendonly yes/);
    assert.match(warned[1] ?? '', /drops keys.*noeviction/);
    await settings.config('SET', 'maxmemory-policy', 'noeviction');
    await settings.config('SET', 'appendonly', 'yes');
    await (await open({ url: addressOf(`:${right}`), prefix: 'warned', logger })).close();
    assert.equal(warned.length, 2, warned.join(' '));
  });
});

describe('coordination on Redis', { skip }, () => {
  it('writes nothing outside its prefix, takes no character of it for a pattern, and leaves nothing that stays forever', async () => {
    const base = randomUUID();
    const prefix = `${base}[*?`;
    const other = await open({ url, prefix: `${base}[xy` });
    const coordination = await open({ url, prefix });
    const redis = clientOf(url);
    try {
      await other.tokens.put('theirs', 1, 60_000);
      const heard: string[] = [];
      await coordination.events.subscribe('*', (channel) => heard.push(channel));
      await other.events.publish('theirs', 1);
      await coordination.tokens.put('mine', 1, 60_000);
      await coordination.counters.increment('mine', 60_000);
      await coordination.counters.enter('mine', 1, 60_000);
      await coordination.locks.acquire('mine', 60_000);
      await coordination.queues.push('mine', [1, 2]);
      for (const item of await coordination.queues.take('mine', { max: 2 })) await item.acknowledge();
      await coordination.health();
      await coordination.events.publish('mine', 1);
      assert.equal(await coordination.tokens.removeWithPrefix(''), 1);
      assert.equal(await other.tokens.get('theirs'), 1);
      assert.deepEqual(heard, ['mine']);
      const keys = await redis.keys(`${base}*`);
      const own = keys.filter((key) => key.startsWith(`${prefix}:`));
      assert.equal(keys.length - own.length, 1, keys.join(' '));
      for (const key of own) assert.ok((await redis.pttl(key)) > 0, `${key} would stay for ever`);
    } finally {
      await Promise.all([coordination.close(), other.close()]);
      const left = await redis.keys(`${base}*`);
      await redis.unlink(...left);
    }
  });

  it('continues when the server has forgotten its scripts', async () => {
    const prefix = `test-${randomUUID()}`;
    const coordination = await open({ url, prefix });
    const redis = clientOf(url);
    assert.equal(await coordination.counters.increment('a', 60_000), 1);
    await redis.script('FLUSH');
    assert.equal(await coordination.counters.increment('a', 60_000), 2);
    await coordination.close();
    await removeKeys(url, prefix);
  });

  it('takes damaged items like any other, and the items behind them', async () => {
    const prefix = `test-${randomUUID()}`;
    const { queues, close } = await open({ url, prefix });
    const redis = clientOf(url);
    await queues.push('damaged', [0, 1, 2]);
    const items = `${prefix}:queue:{damaged}:items`;
    const [first = '', second = ''] = (await redis.hkeys(items)).toSorted();
    await redis.hset(items, first, '{"ids":[');
    await redis.hdel(items, second);
    const taken = await queues.take('damaged', { max: 3, visibility: 1 });
    assert.deepEqual(
      taken.map(({ item }) => item),
      [undefined, null, 2],
    );
    await redis.unlink(`${prefix}:queue:{damaged}:holders`);
    const again = await queues.take('damaged', { max: 3, wait: 1000 });
    assert.equal(again.length, 3);
    for (const item of again) await item.acknowledge();
    assert.equal(await queues.clear('damaged'), 0);
    await close();
    await removeKeys(url, prefix);
  });

  it('brings back thousands of overdue items in their order', async () => {
    const prefix = `test-${randomUUID()}`;
    const { queues, close } = await open({ url, prefix });
    const numbers = Array.from({ length: 2500 }, (_, n) => n);
    await queues.push('many', numbers.slice(0, 1000));
    await queues.push('many', numbers.slice(1000));
    assert.equal((await queues.take('many', { max: 5000, visibility: 1 })).length, 2500);
    const again = await queues.take<number>('many', { max: 5000, wait: 1000 });
    assert.deepEqual(
      again.map(({ item }) => item),
      numbers,
    );
    await close();
    await removeKeys(url, prefix);
  });
});

const clients: Redis[] = [];
const opened: Coordination[] = [];
/** A test that fails leaves its connections, and they would keep the process. */
after(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all(opened.map((coordination) => coordination.close()));
});

async function open(options: RedisCoordinationOptions): Promise<Coordination> {
  const coordination = await openRedisCoordination(options);
  opened.push(coordination);
  return coordination;
}

function clientOf(server: string): Redis {
  const client = new Redis(server, { retryStrategy: () => null });
  clients.push(client);
  return client;
}
