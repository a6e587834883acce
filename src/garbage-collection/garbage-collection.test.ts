import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectGarbage, collectWhenIdle } from './garbage-collection.ts';

const MEGABYTE = 1024 * 1024;

describe('collecting garbage when there is nothing else to do', () => {
  let share = 0;
  let heap = 0;
  let collections = 0;
  /** Bytes in use after a collection. */
  let used = 0;
  let running: { stop(): void };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    share = 0;
    used = 40 * MEGABYTE;
    heap = 100 * MEGABYTE;
    collections = 0;
    running = collectWhenIdle({
      interval: 1000,
      collect: () => {
        collections += 1;
        heap = used;
      },
      utilization: () => share,
      heapSize: () => heap,
    });
  });
  afterEach(() => {
    running.stop();
    mock.timers.reset();
  });
  const look = () => mock.timers.tick(1000);

  it('collects once after the start', () => {
    look();
    assert.equal(collections, 1);
    for (let looks = 0; looks < 5; looks++) look();
    assert.equal(collections, 1);
  });

  it('waits until the load is over', () => {
    share = 0.02;
    for (let looks = 0; looks < 5; looks++) look();
    assert.equal(collections, 0);
    share = 0.019;
    look();
    assert.equal(collections, 1);
  });

  it('collects again when the heap has grown by 16 MB, also in small steps', () => {
    look();
    for (let grown = 0; grown < 15; grown++) {
      heap += MEGABYTE;
      look();
    }
    assert.equal(collections, 1);
    heap += MEGABYTE;
    look();
    assert.equal(collections, 2);
    look();
    assert.equal(collections, 2);
  });

  it('does not take what is in use for garbage time and again', () => {
    look();
    used = 90 * MEGABYTE;
    heap = 100 * MEGABYTE;
    for (let looks = 0; looks < 5; looks++) look();
    assert.equal(collections, 2);
  });

  it('stops', () => {
    running.stop();
    look();
    assert.equal(collections, 0);
  });
});

describe('what it looks at by default', () => {
  it('is the event loop and the heap of the thread', async (test) => {
    const held = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
    const collected = Promise.withResolvers<void>();
    const idle = collectWhenIdle({ interval: 100, collect: collected.resolve });
    test.after(() => idle.stop());
    // The timer of the collection keeps nothing alive.
    const alive = setTimeout(() => collected.reject(new Error('an idle thread was not seen as one')), 30_000);
    await collected.promise;
    clearTimeout(alive);
    assert.equal(held.length, 1_000_000);
  });
});

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}

/** Makes V8 keep much for young objects: many of them live on when it looks. */
function allocate(): void {
  for (let round = 0; round < 40; round++) Array.from({ length: 100_000 }, (_, at) => ({ at }));
}

describe('collecting garbage', () => {
  it('collects what no one holds any more', async () => {
    const unheld = new WeakRef(Array.from({ length: 1000 }, (_, at) => ({ at })));
    // A weak reference is held until the work of this turn is done.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    assert.equal(unheld.deref(), undefined);
  });

  it('gives back the space of young objects, also right after heavy allocation', () => {
    allocate();
    const busy = youngSpace();
    collectGarbage();
    assert.ok(youngSpace() < busy / 2, `${youngSpace()} bytes of ${busy} are left`);
  });

  it('leaves the flags as they were', () => {
    collectGarbage();
    assert.equal(runInNewContext('typeof gc'), 'undefined');
  });
});
