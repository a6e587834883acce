import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Arrivals } from './arrivals.ts';

/** Arrivals whose time passes while they measure, with a request every `interval` milliseconds. */
function arrivalsOf({ interval, utilization }: { readonly interval: number; readonly utilization: number }) {
  let now = 0;
  let next = 0;
  const pass = (until: number) => {
    for (; next <= until; next += interval) {
      now = next;
      arrivals.note();
    }
    now = until;
  };
  const arrivals = new Arrivals({
    now: () => now,
    utilizationDuring: async (milliseconds) => {
      pass(now + milliseconds);
      return utilization;
    },
  });
  return { arrivals, pass, now: () => now };
}

describe('Arrivals', () => {
  it('lets other work go on where nothing arrives, at once', async () => {
    const { arrivals, now } = arrivalsOf({ interval: 1000, utilization: 1 });
    assert.equal(await arrivals.room(), true);
    assert.equal(now(), 0);
  });

  it('makes other work wait for a burst while the event loop is busy, a second at most', async () => {
    const { arrivals, pass, now } = arrivalsOf({ interval: 5, utilization: 0.9 });
    pass(1000);
    assert.equal(await arrivals.room(), false);
    assert.equal(now(), 2000);
  });

  it('lets other work go on beside a burst where there is room', async () => {
    const { arrivals, pass, now } = arrivalsOf({ interval: 5, utilization: 0.4 });
    pass(1000);
    assert.equal(await arrivals.room(), true);
    assert.equal(now(), 1050);
  });

  it('does not take a slow stream for a burst, however busy the event loop is', async () => {
    const { arrivals, pass } = arrivalsOf({ interval: 20, utilization: 1 });
    pass(5000);
    assert.equal(await arrivals.room(), true);
  });

  it('forgets a burst that is over', async () => {
    let now = 0;
    const arrivals = new Arrivals({ now: () => now, utilizationDuring: async () => 1 });
    for (; now < 200; now += 2) arrivals.note();
    now += 2000;
    assert.equal(await arrivals.room(), true);
  });

  it('ends the wait when the program stops', async () => {
    const stopping = new AbortController();
    const arrivals = new Arrivals({
      utilizationDuring: async () => {
        stopping.abort();
        return 1;
      },
    });
    for (let number = 0; number < 200; number++) arrivals.note();
    assert.equal(await arrivals.room(stopping.signal), true);
  });
});
