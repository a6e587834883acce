import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { type CallToLimit, SourceLimits, type SourceLimitsDependencies } from './source-limits.ts';

describe('SourceLimits', () => {
  it('counts calls, failures by kind, latencies and what limits refuse', async (context) => {
    const answers: number[] = [];
    const onAnswer = (seconds: number) => void answers.push(seconds);
    const { limits, call, clock } = await open(context, { rates: ['4/minute'], onAnswer });
    assert.deepEqual(limits.statistics.state, { isFailing: undefined, since: clock.now });
    assert.equal(await limits.run(call(), async () => 'answer'), 'answer');
    clock.now += 10;
    await assert.rejects(limits.run(call(), failing('status', 500)));
    await assert.rejects(limits.run(call(), failing('timed_out')));
    await assert.rejects(limits.run(call(), failing('status', 404)));
    await assert.rejects(limits.run(call(), failing('status', 500)), { reason: 'rate_limit' });
    const { statistics } = limits;
    assert.deepEqual([...statistics.calls], [['lookup', 4]]);
    assert.deepEqual(
      [...statistics.failures],
      [
        ['status', 1],
        ['timed_out', 1],
        ['rate_limit', 1],
      ],
    );
    assert.equal(answers.length, 2);
    assert.deepEqual(statistics.lastFailure, { kind: 'timed_out', status: undefined, at: clock.now });
    assert.equal(statistics.state.isFailing, false);
    assert.equal(statistics.percentiles([0.5, 0.95])?.length, 2);
  });

  it('opens for calls that had time, and not for callers who give none', async (context) => {
    const { limits, call, clock } = await open(context);
    for (let count = 0; count < 50; count += 1) await assert.rejects(limits.run(call(), failing('timed_out')));
    assert.equal(limits.circuit().state, 'closed');
    for (let count = 0; count < 10; count += 1) {
      const slow = async () => {
        clock.now += 5000;
        return failing('timed_out')();
      };
      await assert.rejects(limits.run(call(), slow));
    }
    assert.equal(limits.circuit().state, 'open');
    await assert.rejects(
      limits.run(call(), () => assert.fail('asked')),
      { reason: 'circuit_open' },
    );
  });

  it('opens for lookups without a connection, and not for listings', async (context) => {
    const { limits, call } = await open(context);
    for (const kind of ['types', 'actions', 'fetchers'] as const) {
      for (let count = 0; count < 20; count += 1) {
        await assert.rejects(limits.run({ ...call(), kind }, failing('unreachable')));
      }
    }
    assert.equal(limits.circuit().state, 'closed');
    for (let count = 0; count < 10; count += 1) await assert.rejects(limits.run(call(), failing('unreachable')));
    assert.equal(limits.circuit().state, 'open');
  });

  it('neither counts nor keeps waiting calls once the circuit is open', async (context) => {
    const { limits, call } = await open(context, { concurrency: 1, rates: ['20/day'] });
    const calls = Array.from({ length: 30 }, () => limits.run(call(), failing('unreachable')));
    const results = await Promise.allSettled(calls);
    const reasons = results.map((result) =>
      result.status === 'rejected' ? (result.reason.reason ?? result.reason.kind) : 'ok',
    );
    assert.deepEqual(Map.groupBy(reasons, (reason) => reason).get('unreachable')?.length, 10);
    assert.deepEqual(Map.groupBy(reasons, (reason) => reason).get('circuit_open')?.length, 20);
    assert.equal((await limits.left())[0]?.left, 10);
  });

  it('keeps a slot for others while the calls of one user hang, and rejects a flood of calls', async (context) => {
    const { limits, call } = await open(context, { concurrency: 4 });
    const block = Promise.withResolvers<void>();
    const stuck = Array.from({ length: 1003 }, () => limits.run(call(), () => block.promise));
    assert.deepEqual([limits.working, limits.waiting], [3, 1000]);
    assert.equal(await limits.run(call({ username: 'grace' }), async () => 'served'), 'served');
    await assert.rejects(
      limits.run(call(), () => assert.fail('asked')),
      {
        kind: 'refused',
        reason: 'too_many_waiting',
        message: 'Too many calls wait for feed. Send fewer requests at the same time.',
      },
    );
    block.resolve();
    await Promise.all(stuck);
  });

  it('rejects a call whose deadline passes before it has a slot, and cancels that of a caller who is gone', async (context) => {
    const { limits, call } = await open(context, { concurrency: 1 });
    const block = Promise.withResolvers<void>();
    const first = limits.run(call(), () => block.promise);
    const gone = new AbortController();
    const cancelled = limits.run(call({ signal: gone.signal }), () => assert.fail('asked'));
    gone.abort();
    await assert.rejects(cancelled, { kind: 'cancelled' });
    const late = limits.run(call({ deadline: Date.now() + 20 }), () => assert.fail('asked'));
    await assert.rejects(late, {
      reason: 'busy',
      message: "feed was busy with other calls until this call's deadline.",
    });
    block.resolve();
    await first;
    assert.deepEqual([limits.waiting, limits.working], [0, 0]);
  });

  it('discovers types while all calls hang, without counting that against rates or a user', async (context) => {
    const target = { name: 'vault', quota: 1 };
    const { limits, call } = await open(context, { concurrency: 2, rates: ['2/day'], target });
    const block = Promise.withResolvers<void>();
    const hanging = ['ada', 'grace'].map((username) => limits.run(call({ username }), () => block.promise));
    await nextTurn();
    assert.equal(await limits.run(call({ kind: 'types', username: undefined }), async () => 'types'), 'types');
    await assert.rejects(
      limits.run(call(), async () => 'second'),
      { reason: 'quota' },
    );
    block.resolve();
    await Promise.all(hanging);
    assert.equal(await limits.run(call({ kind: 'actions' }), async () => 'actions'), 'actions');
    assert.equal((await limits.left())[0]?.left, 0);
  });
});

function failing(kind: string, status?: number): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(kind), { kind, status }));
}

async function open(context: TestContext, options: Partial<SourceLimitsDependencies> = {}) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const clock = { now: Date.now() };
  const log = { warn: () => {} };
  const limits = new SourceLimits({
    source: 'feed',
    concurrency: 16,
    rates: [],
    coordination,
    log,
    now: () => clock.now,
    ...options,
  });
  const call = (given: Partial<CallToLimit> = {}): CallToLimit => ({
    kind: 'lookup',
    username: 'ada',
    deadline: clock.now + 5000,
    signal: new AbortController().signal,
    ...given,
  });
  return { limits, call, clock };
}
