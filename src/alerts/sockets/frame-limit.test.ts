import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameLimit } from './frame-limit.ts';

function limitAt() {
  const clock = { now: 0 };
  const limit = new FrameLimit(() => clock.now);
  const counted = (frames: number) => Array.from({ length: frames }, () => limit.count()).filter(Boolean).length;
  return { clock, limit, counted };
}

describe('the limit of frames', () => {
  it('allows 100 at once, and then 20 a second', () => {
    const { clock, counted } = limitAt();
    assert.equal(counted(100), 100);
    clock.now += 1_000;
    assert.equal(counted(20), 20);
    assert.equal(counted(1), 0);
  });

  it('allows 20 a second without end', () => {
    const { clock, counted } = limitAt();
    for (let second = 0; second < 600; second += 1) {
      clock.now += 1_000;
      assert.equal(counted(20), 20, `second ${second}`);
    }
  });

  it('allows 100 frames in work', () => {
    const { clock, limit } = limitAt();
    const done = Array.from({ length: 100 }, () => limit.begin());
    clock.now += 60_000;
    assert.equal(limit.count(), false);
    done[0]?.();
    assert.equal(limit.count(), true);
  });
});
