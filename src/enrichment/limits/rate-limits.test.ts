import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { CALL_RATE } from '../../config/enrichment-adapter-settings.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../../errors/errors.ts';
import { NEVER_ABORTED } from '../../testing/enrichment/never-aborted.ts';
import { nextCallAt, readCallRates, timesWithin, withCall } from './call-rate.ts';
import { RateLimits } from './rate-limits.ts';

const MINUTE = 60_000;

describe('call rates', () => {
  it('are read with their periods', () => {
    const [rate, monthly] = readCallRates(['4/minute', ' 15500 / month ']);
    assert.deepEqual(rate, { text: '4/minute', calls: 4, period: MINUTE });
    assert.deepEqual(monthly, { text: '15500/month', calls: 15_500, period: 31 * 86_400_000 });
    const allowed = new RegExp(CALL_RATE);
    for (const good of ['4/minute', ' 1 / second ', '500/day', '15500/month', '7/hour']) assert.match(good, allowed);
    for (const bad of ['0/minute', '-1/day', '4', 'minute', '4/min', '1.5/day', '4/minutes'])
      assert.doesNotMatch(bad, allowed);
  });

  it('never allow more calls in any period, and every call that fits by parts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.nat({ max: 3000 }), { maxLength: 400 }),
        (calls, pauses) => {
          const [rate] = readCallRates([`${calls}/minute`]);
          assert.ok(rate);
          let now = 0;
          let times: readonly (readonly [number, number])[] = [];
          const made: number[] = [];
          for (const pause of pauses) {
            now += pause;
            times = timesWithin(times, rate, now);
            const at = nextCallAt(times, rate, now);
            const inPeriod = made.filter((time) => time > now - MINUTE).length;
            // A part of the period is a second: calls of one part count as its last.
            if (at === now) assert.ok(inPeriod < calls);
            else assert.ok(made.filter((time) => time > now - MINUTE - 1000).length >= calls);
            if (at > now) continue;
            times = withCall(times, rate, now);
            made.push(now);
            assert.ok(times.length <= 62);
          }
        },
      ),
    );
  });

  it('are not blocked by a clock that is set back', () => {
    const [rate] = readCallRates(['1/minute']);
    assert.ok(rate);
    assert.equal(nextCallAt(timesWithin([[10 * MINUTE, 1]], rate, 0), rate, 0), MINUTE);
  });
});

describe('RateLimits', () => {
  it('lets calls through up to the rate, waits where the deadline allows, rejects with the time else', async (context) => {
    const { limits, clock } = await open(context, ['2/minute']);
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    await assert.rejects(limits.wait('ada', clock.now + 5000, NEVER_ABORTED), {
      kind: 'refused',
      reason: 'rate_limit',
      retryAt: new Date(clock.now + MINUTE),
      message: 'The rate limit of feed (2/minute) is exhausted. The next call is possible at 1970-01-01T00:17:40.000Z.',
    });
    const patient = limits.wait('ada', clock.now + 2 * MINUTE, NEVER_ABORTED);
    assert.equal(await settledWithin(patient, clock, MINUTE - 1), false);
    assert.equal(await settledWithin(patient, clock, 1), true);
  });

  it('counts every rate, and reports what is left until when', async (context) => {
    const { limits, clock } = await open(context, ['2/minute', '3/day']);
    assert.deepEqual(await limits.left(), [
      { limit: '2/minute', left: 2, until: undefined },
      { limit: '3/day', left: 3, until: undefined },
    ]);
    const start = clock.now;
    for (let call = 0; call < 3; call += 1) {
      await limits.wait('ada', clock.now + 1000, NEVER_ABORTED);
      clock.now += 45_000;
    }
    await assert.rejects(limits.wait('ada', clock.now + MINUTE, NEVER_ABORTED), {
      retryAt: new Date(start + 24 * 60 * MINUTE),
    });
    assert.deepEqual(await limits.left(), [
      { limit: '2/minute', left: 1, until: new Date(start + 150_000) },
      { limit: '3/day', left: 0, until: new Date(start + 86_400_000) },
    ]);
  });

  it('shares the rate with other processes and keeps it over a restart', async (context) => {
    const { limits, clock, another } = await open(context, ['3/minute']);
    const other = another();
    const calls = [limits, other, limits, other, limits].map((one) => one.wait('ada', clock.now + 5000, NEVER_ABORTED));
    const results = await Promise.allSettled(calls);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    await assert.rejects(another().wait('ada', clock.now + 5000, NEVER_ABORTED), { reason: 'rate_limit' });
  });

  it('gives waiting users equal shares, however many calls one of them sends', async (context) => {
    const { limits, clock } = await open(context, ['1/second']);
    await limits.wait('flood', clock.now + 5000, NEVER_ABORTED);
    const order: string[] = [];
    const take = (who: string) =>
      limits.wait(who, clock.now + 5_500, NEVER_ABORTED).then(
        () => order.push(who),
        () => order.push(`${who} refused`),
      );
    const all = ['flood', 'flood', 'flood', 'flood', 'flood', 'flood', 'other', 'third'].map(take);
    await turnsOf(3);
    assert.deepEqual(order, ['flood refused', 'flood refused', 'flood refused']);
    for (let second = 0; second < 5; second += 1) await clock.advance(1000);
    await Promise.all(all);
    assert.deepEqual(order.slice(3).sort(), ['flood', 'flood', 'flood', 'other', 'third']);
    assert.ok(order.indexOf('other') <= 5 && order.indexOf('third') <= 5, order.join());
  });

  it('forgets a waiting call whose caller hangs up', async (context) => {
    const { limits, clock } = await open(context, ['1/second']);
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    const gone = new AbortController();
    const first = limits.wait('ada', clock.now + 5000, gone.signal);
    const second = assert.rejects(limits.wait('ada', clock.now + 1500, NEVER_ABORTED), { reason: 'rate_limit' });
    await turnsOf(3);
    gone.abort(new Error('gone'));
    await assert.rejects(first, { message: 'gone' });
    await second;
    const third = limits.wait('ada', clock.now + 1500, NEVER_ABORTED);
    assert.equal(await settledWithin(third, clock, 1000), true);
    assert.equal(limits.waiting, 0);
  });

  it('counts alone, from what it knew, while coordination is unavailable', async (context) => {
    const { limits, clock, outage, warnings } = await open(context, ['2/minute']);
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    outage.now = true;
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    await assert.rejects(limits.wait('ada', clock.now + 5000, NEVER_ABORTED), { reason: 'rate_limit' });
    assert.equal((await limits.left())[0]?.left, 0);
    assert.deepEqual(warnings, ['the rate limits of a source are counted by each process alone']);
  });

  it('keeps the calls of other processes when it could not read them', async (context) => {
    const { limits, another, clock, outage } = await open(context, ['3/minute']);
    const other = another();
    for (let call = 0; call < 2; call += 1) await other.wait('ada', clock.now + 5000, NEVER_ABORTED);
    outage.ofReads = true;
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    outage.ofReads = false;
    assert.equal((await limits.left())[0]?.left, 1);
  });

  it('counts a call once when the lock cannot be released', async (context) => {
    const { limits, clock, outage, warnings } = await open(context, ['2/minute']);
    outage.ofRelease = true;
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    assert.equal((await limits.left())[0]?.left, 1);
    await limits.wait('ada', clock.now + 5000, NEVER_ABORTED);
    await assert.rejects(limits.wait('ada', clock.now + 5000, NEVER_ABORTED), { reason: 'rate_limit' });
    assert.equal(warnings.length, 1);
  });

  it('waits for nothing without rates', async (context) => {
    const { limits, outage } = await open(context, []);
    outage.now = true;
    await limits.wait('ada', 0, NEVER_ABORTED);
    assert.deepEqual(await limits.left(), []);
  });
});

class Clock {
  now = 1_000_000;
  #timers: { at: number; callback: () => void }[] = [];

  readonly after = (milliseconds: number, callback: () => void) => {
    const timer = { at: this.now + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  async advance(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { callback } of due) callback();
    await turnsOf(3);
  }
}

async function turnsOf(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

async function settledWithin(call: Promise<unknown>, clock: Clock, milliseconds: number): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  call.then(note, note);
  await turnsOf(3);
  await clock.advance(milliseconds);
  return settled;
}

async function open(context: TestContext, rates: readonly string[]) {
  const real = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => real.close());
  const clock = new Clock();
  const outage = { now: false, ofReads: false, ofRelease: false };
  const warnings: string[] = [];
  const log = { warn: (_entry: object, message: string) => void warnings.push(message) };
  const gone = () => Promise.reject(new Unavailable('coordination_unavailable', 'gone'));
  const tables: Coordination['tables'] = Object.create(real.tables, {
    get: {
      value: (table: string, key: string) => (outage.now || outage.ofReads ? gone() : real.tables.get(table, key)),
    },
    put: {
      value: (table: string, key: string, value: unknown) => (outage.now ? gone() : real.tables.put(table, key, value)),
    },
  });
  const locks: Coordination['locks'] = {
    async acquire(...given) {
      const lock = await real.locks.acquire(...given);
      if (lock === undefined || !outage.ofRelease) return lock;
      return { ...lock, release: () => lock.release().then(gone) };
    },
  };
  const coordination = { locks, tables };
  const another = () =>
    new RateLimits({ source: 'feed', rates, coordination, log, now: () => clock.now, after: clock.after });
  return { limits: another(), another, clock, outage, warnings };
}
