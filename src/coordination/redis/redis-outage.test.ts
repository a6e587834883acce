import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type StartedServer, startServer } from '../../../test/servers/start-server.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import type { Coordination } from '../coordination.ts';
import { openRedisCoordination } from './redis-coordination.ts';

const skip = outsideServer('redis').unavailable ?? false;

describe('coordination while Redis is gone', { skip }, () => {
  const lines: string[] = [];
  const log = (_: object, message: string) => void lines.push(message);
  let server: StartedServer;
  let coordination: Coordination;
  before(async () => {
    server = await startServer('redis', { env: { APPENDONLY: 'yes' } });
    coordination = await openRedisCoordination({ url: server.url, prefix: 'outage', logger: { info: log, warn: log } });
  });
  after(async () => {
    await coordination.close();
    await server[Symbol.asyncDispose]();
  });

  it('fails every call soon, with a sentence that names the server, and comes back by itself', async () => {
    const lock = await coordination.locks.acquire('held', 60_000);
    await coordination.queues.push('work', ['a', 'b']);
    const [taken] = await coordination.queues.take('work');
    lines.length = 0;
    await server.kill();
    for (const round of ['at once', 'later']) {
      const { tokens, counters, locks, queues, events } = coordination;
      const calls: Record<string, () => Promise<unknown>> = {
        put: () => tokens.put('a', 1, 1000),
        get: () => tokens.get('a'),
        take: () => tokens.take('a'),
        remove: () => tokens.remove('a'),
        removeWithPrefix: () => tokens.removeWithPrefix('a'),
        increment: () => counters.increment('a', 1000),
        count: () => counters.get('a'),
        enter: () => counters.enter('a', 1, 1000),
        leave: () => counters.leave('a', 'place'),
        acquire: () => locks.acquire('a', 1000),
        'acquire with patience': () => locks.acquire('held', 1000, { wait: 30_000 }),
        renew: async () => lock?.renew(1000),
        push: () => queues.push('work', [1]),
        takeItems: () => queues.take('work'),
        'take with patience': () => queues.take('empty', { wait: 30_000 }),
        acknowledge: async () => taken?.acknowledge(),
        giveBack: async () => taken?.giveBack(),
        length: () => queues.length('work'),
        clear: () => queues.clear('work'),
        publish: () => events.publish('a', 1),
        subscribe: () => events.subscribe('a', () => undefined),
      };
      if (round === 'later') await sleep(1500);
      const began = performance.now();
      await Promise.all(Object.entries(calls).map(([name, call]) => refusedSoon(`${name} ${round}`, server, call)));
      const waited = performance.now() - began;
      // Later calls do not even wait for the connection to come back.
      assert.ok(waited < (round === 'later' ? 900 : 5000), `${round} it took ${waited} ms`);
    }
    const health = await coordination.health();
    assert.equal(health.ok, false);
    assert.ok(health.detail.includes(server.url), health.detail);
    await lock?.release();
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /ended the connection|does not answer/);

    await server.start();
    await healthy(coordination);
    assert.ok(lines.includes('Redis answers again'));
    await taken?.acknowledge();
    assert.deepEqual(
      (await coordination.queues.take('work', { max: 9 })).map(({ item }) => item),
      ['b'],
    );
  });

  it('hears events again after the return, and no event of a subscription that ended meanwhile', async () => {
    const heard: unknown[] = [];
    const ended: unknown[] = [];
    await coordination.events.subscribe('kept:*', (_, payload) => heard.push(payload));
    const end = await coordination.events.subscribe('ended', (_, payload) => ended.push(payload));
    await server.kill();
    await sleep(100);
    await end();
    await server.start();
    await healthy(coordination);
    // The connection for messages may come back later than the one for commands.
    const deadline = performance.now() + 5000;
    for (let n = 0; heard.length === 0 && performance.now() < deadline; n += 1) {
      await coordination.events.publish('kept:1', n);
      await coordination.events.publish('ended', n);
      await sleep(20);
    }
    assert.ok(heard.length > 0, 'the subscription did not come back');
    assert.deepEqual(ended, []);
  });

  it('wakes those who wait through a short loss as soon as there is something', async () => {
    const waiting = Promise.allSettled([coordination.queues.take<string>('through', { wait: 20_000 })]);
    await sleep(50);
    await server.kill();
    await server.start();
    await healthy(coordination);
    await coordination.queues.push('through', ['x']);
    const [outcome] = await waiting;
    // Anyone who looks while it is gone for longer than a second is told; both are right, hanging is not.
    if (outcome.status === 'fulfilled') assert.equal(outcome.value[0]?.item, 'x');
    else assert.equal(outcome.reason.code, 'coordination_unavailable');
  });

  it('does not hang on a server that holds its connections and answers nothing', async () => {
    server.freeze();
    try {
      await refusedSoon('frozen', server, () => coordination.tokens.get('a'));
      const began = performance.now();
      await sleep(1100);
      await refusedSoon('still frozen', server, () => coordination.tokens.get('a'));
      assert.ok(performance.now() - began < 2000, 'later calls fail at once');
    } finally {
      server.resume();
    }
    await healthy(coordination);
    assert.equal(await coordination.tokens.get('a'), undefined);
  });

  it('keeps what was pushed when the server is killed, with the append-only file', async () => {
    await coordination.queues.push(
      'kept',
      Array.from({ length: 500 }, (_, n) => n),
    );
    await server.kill();
    await server.start();
    await healthy(coordination);
    assert.equal(await coordination.queues.length('kept'), 500);
  });

  it('says what a server lacks that is full, read-only or not permitted', async () => {
    const warned: string[] = [];
    const logger = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message) };
    const small = await openRedisCoordination({ url: server.url, prefix: 'full', logger });
    const settings = new Redis(server.url, { retryStrategy: () => null });
    const refuses = async (message: RegExp): Promise<void> => {
      await assert.rejects(small.tokens.put('a', 1, 1000), { code: 'coordination_unavailable', message });
      assert.match((await small.health()).detail, message);
    };
    try {
      assert.deepEqual(warned, []);
      await settings.config('SET', 'maxmemory', '1mb');
      await refuses(/has no memory left.*maxmemory/);
      await settings.config('SET', 'maxmemory', '0');
      await settings.replicaof('127.0.0.1', '1');
      await refuses(/is a read-only replica/);
      await settings.replicaof('NO', 'ONE');
      await settings.acl('SETUSER', 'default', '-set');
      await refuses(/does not let this user do it/);
      await settings.acl('SETUSER', 'default', '+@all');
      assert.deepEqual(await small.health(), { ok: true, detail: '' });
    } finally {
      await small.close();
      settings.disconnect();
    }
  });
});

/** Rejects within about two seconds, as the port says. */
async function refusedSoon(name: string, server: StartedServer, call: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await assert.rejects(
    call(),
    (error: Error & { kind?: string; code?: string; retryAfter?: number }) => {
      assert.deepEqual(
        [error.kind, error.code, error.retryAfter],
        ['unavailable', 'coordination_unavailable', 5],
        name,
      );
      assert.ok(error.message.includes(server.url), `${name}: ${error.message}`);
      return true;
    },
    name,
  );
  const waited = performance.now() - began;
  assert.ok(waited < 8000, `${name} took ${waited} ms`);
}

async function healthy(coordination: Coordination): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await coordination.health()).ok) {
    assert.ok(performance.now() < deadline, 'it did not come back within 10 seconds');
    await sleep(20);
  }
}
