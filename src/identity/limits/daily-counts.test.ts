import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { DailyCounts } from './quota.ts';

const DAY = 86_400_000;

describe('daily counts', () => {
  it('are of one user, one kind and one day of UTC', async (context) => {
    const coordination = await openEmbeddedCoordination({ folder: 'memory' });
    context.after(() => coordination.close());
    const clock = { now: Date.parse('2026-01-02T23:59:59.900Z') };
    const counts = new DailyCounts({ counters: coordination.counters, log: { warn: () => {} }, now: () => clock.now });
    assert.equal(await counts.increment('api', 'ada'), 1);
    assert.equal(await counts.increment('api', 'ada'), 2);
    assert.equal(await counts.increment('submission', 'ada'), 1);
    assert.equal(await counts.get('api', 'ada'), 2);
    assert.equal(await counts.get('api', 'grace'), 0);
    clock.now += 100;
    assert.equal(await counts.get('api', 'ada'), 0);
    assert.equal(await counts.increment('api', 'ada'), 1);
    clock.now += DAY;
    assert.equal(await counts.get('api', 'ada'), 0);
  });

  it('are nothing while coordination is gone, which the log says once', async () => {
    const gone = () => Promise.reject(new Unavailable('coordination_unavailable', 'gone'));
    const warnings: string[] = [];
    const log = { warn: (_entry: object, message: string) => void warnings.push(message) };
    const counts = new DailyCounts({ counters: { increment: gone, get: gone }, log });
    assert.deepEqual(await Promise.all([counts.increment('api', 'ada'), counts.get('api', 'ada')]), [0, 0]);
    assert.deepEqual(warnings, ['daily quotas are not counted']);
    const broken = () => Promise.reject(new TypeError('a fault'));
    const faulty = new DailyCounts({ counters: { increment: broken, get: broken }, log });
    await assert.rejects(faulty.get('api', 'ada'), TypeError);
  });
});
