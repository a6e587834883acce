import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectGarbage } from './collect-garbage.ts';

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}

/** Makes V8 keep much for young objects: many of them live on when it looks. */
function allocate(): void {
  for (let round = 0; round < 40; round++) Array.from({ length: 100_000 }, (_, at) => ({ at }));
}

describe('collecting garbage', () => {
  it('collects what nobody holds any more', async () => {
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
