import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/schema/collection-definition.ts';
import { thingDefinition } from '../conformance/things.ts';
import { openEmbeddedDatastore } from '../embedded/embedded-datastore.ts';
import type { Datastore } from '../port/datastore.ts';
import { SILENT } from '../port/datastore-logger.ts';
import type { IndexAdmin } from '../port/index-admin.ts';
import { BootstrapLock, type LockTimes } from './bootstrap-lock.ts';

const ALIAS = 'lock-hit';
const TIMES: LockTimes = { renewEvery: 20, patience: 300, lookEvery: 5 };
/** Times of a process that was suspended: it sends no heartbeat. */
const FROZEN: LockTimes = { ...TIMES, renewEvery: 1_000_000 };

describe('the lock of the bootstrap', () => {
  let store: Datastore;
  let held: BootstrapLock[];
  beforeEach(async () => {
    store = await openEmbeddedDatastore({ folder: 'memory', prefix: 'lock' });
    held = [];
  });
  afterEach(async () => {
    await Promise.all(held.map((lock) => lock.release()));
    await store.close();
  });
  const acquire = async (times = TIMES, signal?: AbortSignal, admin: IndexAdmin = store.admin) => {
    const lock = await BootstrapLock.acquire({ admin, alias: ALIAS, times, logger: SILENT, signal });
    held.push(lock);
    return lock;
  };

  it('is had by one at a time, for as long as that one shows signs of life', async () => {
    const first = await acquire();
    let isSecond = false;
    const second = acquire().then((lock) => {
      isSecond = true;
      return lock;
    });
    await sleep(3 * TIMES.patience);
    assert.equal(isSecond, false);
    await first.check();
    await first.release();
    assert.equal((await second).wasInterrupted, false);
    await (await second).check();
  });

  it('is taken from a holder without a sign of life, by one of those that wait', async () => {
    const frozen = await acquire(FROZEN);
    await frozen.begin();
    const waiting = await Promise.race([acquire(), acquire(), acquire()]);
    assert.equal(waiting.wasInterrupted, true, 'what was begun is forgotten');
    await sleep(2 * TIMES.patience);
    assert.equal(held.length, 2, 'several have it');
    await waiting.end();
    await waiting.release();
    for (let at = 2; at < 4; at += 1) {
      while (held.length <= at) await sleep(5);
      await held[at]?.release();
    }
  });

  it('refuses everything that a holder does who was taken for dead', async () => {
    const frozen = await acquire(FROZEN);
    const index = `${ALIAS}-000001`;
    await store.admin.create(index, thingDefinition() as CollectionDefinition<unknown>);
    const present = await acquire();
    const lost = { code: 'bootstrap_lock_lost' };
    await assert.rejects(frozen.switchAliases([{ kind: 'delete_index', index }]), lost);
    await assert.rejects(frozen.switchAliases([{ kind: 'add', index, alias: ALIAS, writeIndex: true }]), lost);
    await assert.rejects(frozen.begin(), lost);
    assert.deepEqual((await store.admin.list(index))[0]?.aliases, []);
    await frozen.release();
    await present.check();
    await present.release();
    await assert.rejects(frozen.check(), lost);
  });

  it('tells a lost lock from an alias that is missing', async () => {
    const lock = await acquire();
    const index = `${ALIAS}_bootstrap`;
    await assert.rejects(lock.switchAliases([{ kind: 'remove', index, alias: 'nowhere' }]), { code: 'alias_missing' });
    await lock.check();
  });

  it('is left lying when something was begun, and gone when it was ended', async () => {
    const lock = await acquire();
    await lock.begin();
    await lock.release();
    assert.equal(await store.admin.exists(`${ALIAS}_bootstrap`), true);
    const next = await acquire();
    assert.equal(next.wasInterrupted, true);
    await next.end();
    await next.release();
    assert.equal(await store.admin.exists(`${ALIAS}_bootstrap`), false);
    assert.equal((await acquire()).wasInterrupted, false);
  });

  it('stops waiting when it is told to', async () => {
    await acquire();
    const stop = new AbortController();
    const waiting = acquire(TIMES, stop.signal);
    await sleep(20);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, { message: /stopped|aborted/ });
  });
});
