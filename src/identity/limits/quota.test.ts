import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { RequestQuota } from './quota.ts';

describe('RequestQuota', () => {
  it('gives a user as many places as their quota, and each back', async (context) => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    context.after(() => coordination.close());
    const quota = new RequestQuota({ counters: coordination.counters, log: { warn: () => undefined } });
    const ada = { username: 'ada', quota: 2 };
    const first = await quota.enter(ada);
    assert.ok(first);
    assert.ok(await quota.enter(ada));
    assert.equal(await quota.enter(ada), undefined);
    assert.ok(await quota.enter({ username: 'grace', quota: 2 }));
    await quota.leave(ada, first);
    assert.ok(await quota.enter(ada));
  });
});
