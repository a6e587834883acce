import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimedCache } from './timed-cache.ts';

describe('TimedCache', () => {
  let now = 0;
  const timed = (limit: number) => new TimedCache<string>({ limit, lifetime: 1000, now: () => now });

  it('knows a value until its time is over, and nothing of it afterwards', () => {
    now = 5000;
    const cache = timed(10);
    cache.set('a', 'one');
    now = 5999;
    assert.equal(cache.get('a'), 'one');
    now = 6000;
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.size, 0);
  });

  it('counts the time from when the value was true, if that was before', () => {
    now = 5000;
    const cache = timed(10);
    cache.set('a', 'one', 4500);
    now = 5499;
    assert.equal(cache.get('a'), 'one');
    now = 5500;
    assert.equal(cache.get('a'), undefined);
  });

  it('lets the oldest make place, and a value that is set again begin anew', () => {
    now = 5000;
    const cache = timed(2);
    cache.set('a', 'one');
    cache.set('b', 'two');
    now = 5900;
    cache.set('a', 'three');
    cache.set('c', 'four');
    now = 6500;
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['three', undefined, 'four']);
    assert.deepEqual([cache.delete('c'), cache.delete('c')], [true, false]);
  });
});
