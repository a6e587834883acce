import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onLiveChanges } from './live-changes.ts';

function fakeLive() {
  const listeners = new Map<string, () => void>();
  return {
    listeners,
    on(type: string, listener: (frame: never) => void) {
      listeners.set(type, listener as () => void);
      return () => listeners.delete(type);
    },
  };
}

describe('live changes', () => {
  it('are answered once a pause, and after a cut', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const live = fakeLive();
    let runs = 0;
    const stop = onLiveChanges(live, { types: ['hits', 'cases'], run: () => (runs += 1) });
    for (let frame = 0; frame < 100; frame += 1) live.listeners.get('hits')?.();
    live.listeners.get('cases')?.();
    assert.equal(runs, 0);
    t.mock.timers.tick(1_000);
    assert.equal(runs, 1);
    t.mock.timers.tick(10_000);
    assert.equal(runs, 1, 'no call without a frame');
    live.listeners.get('reconnected')?.();
    t.mock.timers.tick(1_000);
    assert.equal(runs, 2);
    live.listeners.get('cases')?.();
    stop();
    t.mock.timers.tick(1_000);
    assert.equal(runs, 2, 'no call after the end');
    assert.equal(live.listeners.size, 0);
  });
});
