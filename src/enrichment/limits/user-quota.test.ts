import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { UserQuota } from './user-quota.ts';

describe('UserQuota', () => {
  it('limits the concurrent calls of a user, and of no other user', async (context) => {
    const { quotaOf } = await open(context);
    const quota = quotaOf(2);
    const block = Promise.withResolvers<void>();
    const held = [1, 2].map(() => quota.run('ada', inASecond(), () => block.promise));
    await assert.rejects(
      quota.run('ada', inASecond(), () => assert.fail('called')),
      {
        reason: 'quota',
        message:
          'You have too many simultaneous connections to external service vault. Please use larger batches when enriching.',
      },
    );
    assert.equal(await quota.run('grace', inASecond(), async () => 'served'), 'served');
    block.resolve();
    await Promise.all(held);
    assert.equal(await quota.run('ada', inASecond(), async () => 'served'), 'served');
  });

  it('gives slots back after failures too', async (context) => {
    const quota = (await open(context)).quotaOf(1);
    for (let call = 0; call < 5; call += 1) {
      await assert.rejects(
        quota.run('ada', inASecond(), () => Promise.reject(new Error('failed'))),
        { message: 'failed' },
      );
    }
    assert.equal(await quota.run('ada', inASecond(), async () => 'served'), 'served');
  });

  it('allows none with a quota of 0, and as many as there are without one', async (context) => {
    const { quotaOf } = await open(context);
    await assert.rejects(
      quotaOf(0).run('ada', inASecond(), async () => {}),
      { reason: 'quota' },
    );
    const unlimited = quotaOf(undefined);
    await Promise.all(Array.from({ length: 100 }, () => unlimited.run('ada', inASecond(), async () => {})));
  });

  it('holds for a call that takes longer than a minute', async (context) => {
    const { quotaOf, clock } = await open(context);
    const quota = quotaOf(1);
    const block = Promise.withResolvers<void>();
    const held = quota.run('ada', clock.now + 300_000, () => block.promise);
    clock.now += 299_000;
    await assert.rejects(
      quota.run('ada', clock.now + 1000, async () => {}),
      { reason: 'quota' },
    );
    block.resolve();
    await held;
  });

  it('admits calls uncounted while coordination is unavailable', async () => {
    const gone = () => Promise.reject(new Unavailable('coordination_unavailable', 'gone'));
    const quota = new UserQuota({
      target: 'vault',
      quota: 1,
      counters: { enter: gone, leave: gone },
      log: { warn: () => {} },
    });
    assert.equal(await quota.run('ada', inASecond(), async () => 'served'), 'served');
  });
});

function inASecond(): number {
  return Date.now() + 1000;
}

async function open(context: TestContext) {
  const clock = { now: Date.now() };
  const coordination = await openEmbeddedCoordination({ folder: 'memory', now: () => clock.now });
  context.after(() => coordination.close());
  const { counters } = coordination;
  const quotaOf = (quota: number | undefined) =>
    new UserQuota({ target: 'vault', quota, counters, log: { warn: () => {} }, now: () => clock.now });
  return { quotaOf, clock };
}
