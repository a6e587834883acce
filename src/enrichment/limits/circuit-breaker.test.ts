import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CircuitBreaker } from './circuit-breaker.ts';

class Silent extends Error {}
class Answered extends Error {}

const SILENT = () => Promise.reject(new Silent('connection refused'));
const FAILED = () => Promise.reject(new Answered('status 500'));
const CANCELLED = () => Promise.reject(new Error('the caller is gone'));
const WELL = async () => 'well';

describe('CircuitBreaker', () => {
  it('opens after ten calls in a row without an answer, and refuses at once', async () => {
    const { breaker, clock } = open();
    for (let call = 0; call < 10; call += 1) {
      assert.equal(breaker.state().state, 'closed');
      await assert.rejects(breaker.run(SILENT), Silent);
    }
    assert.deepEqual(breaker.state(), {
      state: 'open',
      since: clock.now,
      retryAt: clock.now + 15_000,
      cause: '10 calls in a row had no answer (connection refused)',
    });
    await assert.rejects(
      breaker.run(() => assert.fail('asked')),
      {
        kind: 'refused',
        reason: 'circuit_open',
        retryAt: new Date(clock.now + 15_000),
        message:
          'feed is not asked at the moment: 10 calls in a row had no answer (connection refused). It is tried again at 1970-01-01T00:16:55.000Z.',
      },
    );
  });

  it('stays closed after error statuses, invalid answers, cancelled calls and an answer between', async () => {
    const { breaker } = open();
    for (let call = 0; call < 30; call += 1) await assert.rejects(breaker.run(FAILED), Answered);
    for (let call = 0; call < 30; call += 1) await assert.rejects(breaker.run(CANCELLED));
    for (let call = 0; call < 100; call += 1) {
      if (call % 10 === 9) await breaker.run(call % 20 === 9 ? WELL : () => FAILED().catch(() => 'said no'));
      else await assert.rejects(breaker.run(SILENT));
    }
    assert.equal(breaker.state().state, 'closed');
  });

  it('counts cancelled calls neither as answers nor as failures', async () => {
    const { breaker } = open();
    for (let call = 0; call < 9; call += 1) await assert.rejects(breaker.run(SILENT));
    for (let call = 0; call < 9; call += 1) await assert.rejects(breaker.run(CANCELLED));
    assert.equal(breaker.state().state, 'closed');
    await assert.rejects(breaker.run(SILENT));
    assert.equal(breaker.state().state, 'open');
  });

  it('stays closed when ten calls without an answer take longer than a minute', async () => {
    const { breaker, clock } = open();
    for (let call = 0; call < 50; call += 1) {
      await assert.rejects(breaker.run(SILENT));
      clock.now += 7_000;
    }
    assert.equal(breaker.state().state, 'closed');
  });

  it('sends one probe after the pause, doubles the pause up to 5 minutes, closes at an answer', async () => {
    const { breaker, clock } = open();
    await openCircuit(breaker);
    const pauses: number[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      const { retryAt = 0 } = breaker.state();
      pauses.push((retryAt - clock.now) / 1000);
      clock.now = retryAt - 1;
      await assert.rejects(breaker.run(WELL), { reason: 'circuit_open' });
      clock.now = retryAt;
      await assert.rejects(breaker.run(SILENT), Silent);
    }
    assert.deepEqual(pauses, [15, 30, 60, 120, 240, 300, 300]);
    clock.now = breaker.state().retryAt ?? 0;
    assert.equal(await breaker.run(WELL), 'well');
    assert.deepEqual(breaker.state(), { state: 'closed', since: clock.now, retryAt: undefined, cause: undefined });
    await openCircuit(breaker);
    assert.equal(breaker.state().retryAt, clock.now + 15_000);
  });

  it('lets no second call through while the probe is under way', async () => {
    const { breaker, clock } = open();
    await openCircuit(breaker);
    clock.now += 15_000;
    const answer = Promise.withResolvers<string>();
    const probe = breaker.run(() => answer.promise);
    assert.equal(breaker.state().state, 'probing');
    for (let call = 0; call < 5; call += 1) await assert.rejects(breaker.run(WELL), { reason: 'circuit_open' });
    answer.resolve('alive');
    assert.equal(await probe, 'alive');
    assert.equal(breaker.state().state, 'closed');
  });

  it('allows another probe when the caller of the probe hangs up', async () => {
    const { breaker, clock } = open();
    await openCircuit(breaker);
    clock.now += 15_000;
    await assert.rejects(breaker.run(CANCELLED));
    assert.equal(breaker.state().state, 'open');
    assert.equal(await breaker.run(WELL), 'well');
  });

  it('closes at the answer of a call that began before it opened', async () => {
    const { breaker } = open();
    const answer = Promise.withResolvers<string>();
    const slow = breaker.run(() => answer.promise);
    await openCircuit(breaker);
    answer.resolve('late');
    assert.equal(await slow, 'late');
    assert.equal(breaker.state().state, 'closed');
  });

  it('agrees with its description for any sequence of calls', async () => {
    const call = fc.record({ kind: fc.constantFrom(SILENT, FAILED, WELL, CANCELLED), after: fc.nat({ max: 20_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 120 }), async (calls) => {
        const { breaker, clock } = open();
        let inARow: number[] = [];
        for (const { kind, after } of calls) {
          clock.now += after;
          const before = breaker.state();
          let asked = false;
          await breaker
            .run(() => {
              asked = true;
              return kind();
            })
            .catch(() => undefined);
          assert.equal(asked, before.state === 'closed' || clock.now >= (before.retryAt ?? 0));
          if (!asked) continue;
          if (kind === WELL || kind === FAILED) inARow = [];
          else if (kind === SILENT) inARow = [...inARow, clock.now].slice(-10);
          const shouldOpen = inARow.length === 10 && clock.now - (inARow[0] ?? 0) <= 60_000;
          if (before.state === 'closed') assert.equal(breaker.state().state, shouldOpen ? 'open' : 'closed');
          else if (kind !== CANCELLED) assert.equal(breaker.state().state, kind === SILENT ? 'open' : 'closed');
        }
      }),
    );
  });
});

async function openCircuit(breaker: CircuitBreaker): Promise<void> {
  for (let call = 0; call < 10; call += 1) await assert.rejects(breaker.run(SILENT), Silent);
}

function open() {
  const clock = { now: 1_000_000 };
  const breaker = new CircuitBreaker({
    source: 'feed',
    classify: (error) => (error instanceof Silent ? 'silent' : error instanceof Answered ? 'answered' : 'unknown'),
    describe: (error) => (error instanceof Error ? error.message : ''),
    now: () => clock.now,
  });
  return { breaker, clock };
}
