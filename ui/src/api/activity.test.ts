import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Activity, ATTENTION_MS } from './activity.ts';

describe('the activity of a person', () => {
  it('ends a minute after the last input, and begins again with the next', () => {
    let now = 1_000;
    const activity = new Activity(() => now);
    const target = new EventTarget();
    activity.follow(target);
    now += ATTENTION_MS;
    assert.equal(activity.isAbsent(), false);
    now += 1;
    assert.equal(activity.isAbsent(), true);
    for (const input of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchmove']) {
      now += 2 * ATTENTION_MS;
      assert.equal(activity.isAbsent(), true, input);
      target.dispatchEvent(new Event(input));
      assert.equal(activity.isAbsent(), false, input);
    }
  });

  it('is not what the page does by itself', () => {
    let now = 0;
    const activity = new Activity(() => now);
    const target = new EventTarget();
    activity.follow(target);
    now = 2 * ATTENTION_MS;
    for (const other of ['focus', 'scroll', 'visibilitychange', 'message']) target.dispatchEvent(new Event(other));
    assert.equal(activity.isAbsent(), true);
  });
});
