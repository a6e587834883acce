import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('keeps the newest: what is set again is new again, what is only read is not', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    assert.equal(cache.get('b'), 2);
    cache.set('c', 4);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [3, undefined, 4]);
    assert.equal(cache.size, 2);
  });

  it('keeps what was used last, where that is said', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    assert.equal(cache.use('a'), 1);
    assert.equal(cache.use('missing'), undefined);
    cache.set('c', 3);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
  });

  it('makes a value once, and keeps nothing of an attempt that failed', () => {
    const cache = new BoundedCache<string, string>(2);
    const failure = () => {
      throw new Error('no value');
    };
    assert.throws(() => cache.getOrMake('a', failure), /no value/);
    assert.equal(cache.size, 0);
    assert.equal(
      cache.getOrMake('a', () => 'made'),
      'made',
    );
    assert.equal(cache.getOrMake('a', failure), 'made');
  });

  it('counts what entries weigh, each key once, and keeps none that is too heavy by itself', () => {
    const cache = new BoundedCache<string, string>(10, (text) => text.length);
    cache.set('a', 'xxxx');
    cache.set('b', 'xxxx');
    cache.set('b', 'xx');
    cache.set('c', 'xxxx');
    assert.equal(cache.size, 3);
    cache.set('d', 'xxxxx');
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined),
      ['c', 'd'],
    );
    cache.set('e', 'x'.repeat(11));
    assert.equal(cache.size, 0);
    cache.set('f', 'x'.repeat(10));
    assert.equal(cache.size, 1);
    assert.deepEqual([cache.delete('f'), cache.delete('f')], [true, false]);
    cache.set('g', 'x'.repeat(10));
    assert.equal(cache.size, 1);
  });

  it('holds on to nothing of what it was, after having been full', () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const cache = new BoundedCache<number, number>(1000);
    for (let key = 0; key <= 1000; key += 1) cache.set(key, key);
    cache.delete(1000);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let turn = 0; turn < 200; turn += 1) for (let key = 1; key < 1000; key += 1) cache.set(key, turn);
    for (let turn = 0; turn < 200; turn += 1) for (let key = 1; key < 1000; key += 1) cache.use(key);
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 2_000_000, `${grown} bytes more`);
    assert.equal(cache.size, 999);
  });

  it('holds what a plain list with the same rules holds, whatever is done to it', () => {
    const key = fc.integer({ min: 0, max: 6 });
    const step = fc.oneof(
      fc.record({ act: fc.constant('set' as const), key, value: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ act: fc.constantFrom('use' as const, 'delete' as const, 'get' as const), key }),
    );
    const property = (weighed: boolean) =>
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
        const weigh = (value: number) => (weighed ? value : 1);
        const cache = weighed
          ? new BoundedCache<number, number>(limit, weigh)
          : new BoundedCache<number, number>(limit);
        /** Oldest first. */
        let model: (readonly [key: number, value: number])[] = [];
        for (const done of steps) {
          const known = model.find(([one]) => one === done.key);
          const others = model.filter(([one]) => one !== done.key);
          if (done.act === 'set') {
            cache.set(done.key, done.value);
            model = [...others, [done.key, done.value]];
            while (model.reduce((sum, [, value]) => sum + weigh(value), 0) > limit) model.shift();
          } else if (done.act === 'delete') {
            assert.equal(cache.delete(done.key), known !== undefined);
            model = others;
          } else {
            assert.equal(cache[done.act](done.key), known?.[1]);
            if (done.act === 'use' && known) model = [...others, known];
          }
          assert.equal(cache.size, model.length);
          for (const [one, value] of model) assert.equal(cache.get(one), value);
        }
      });
    fc.assert(property(false), { numRuns: 300 });
    fc.assert(property(true), { numRuns: 300 });
  });
});
