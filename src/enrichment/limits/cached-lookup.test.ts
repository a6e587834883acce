import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { NEVER_ABORTED } from '../../testing/enrichment/never-aborted.ts';
import { CachedLookup, type CacheQuestion, cacheKey } from './cached-lookup.ts';
import { LookupCache } from './lookup-cache.ts';

describe('CachedLookup', () => {
  it('asks once, and again after the ttl', async () => {
    const { lookup, asked, clock } = open();
    const first = await lookup(['a', 'b'], 'ada');
    assert.deepEqual(await lookup(['b', 'a'], 'ada'), first);
    assert.deepEqual(asked, [['a', 'b']]);
    clock.now += 59_999;
    await lookup(['a'], 'ada');
    assert.equal(asked.length, 1);
    clock.now += 1;
    await lookup(['a', 'c'], 'ada');
    assert.deepEqual(asked[1], ['a', 'c']);
  });

  it('keeps that nothing is known for a tenth of the ttl, and errors not at all', async () => {
    const { lookup, asked, clock, answers } = open();
    answers.set('nothing', { items: [] });
    answers.set('broken', { items: [], error: 'failed' });
    await lookup(['nothing', 'broken'], 'ada');
    await lookup(['nothing', 'broken'], 'ada');
    assert.deepEqual(asked, [['nothing', 'broken'], ['broken']]);
    clock.now += 6000;
    await lookup(['nothing'], 'ada');
    assert.equal(asked.length, 3);
  });

  it('asks and stores with no_cache', async () => {
    const { lookup, asked, answers } = open();
    await lookup(['a'], 'ada');
    answers.set('a', { items: ['newer'] });
    assert.deepEqual((await lookup(['a'], 'ada', { noCache: true })).a, { items: ['newer'] });
    assert.deepEqual((await lookup(['a'], 'ada')).a, { items: ['newer'] });
    assert.equal(asked.length, 2);
  });

  it('asks equal questions at the same time once', async () => {
    const { lookup, asked, hold } = open();
    const release = hold();
    const all = [1, 2, 3].map(() => lookup(['a'], 'ada'));
    await nextTurn();
    release();
    const [first, ...others] = await Promise.all(all);
    for (const other of others) assert.deepEqual(other, first);
    assert.deepEqual(asked, [['a']]);
  });

  it('asks for itself when the one that asked hangs up or fails', async () => {
    const { lookup, asked, hold } = open();
    const fail = hold(new Error('the caller is gone'));
    const first = lookup(['a'], 'ada');
    const second = lookup(['a'], 'ada');
    await nextTurn();
    fail();
    await assert.rejects(first, { message: 'the caller is gone' });
    assert.deepEqual((await second).a, { items: ['a'] });
    assert.equal(asked.length, 2);
  });

  it('stops waiting for the question of another when its own caller hangs up', async () => {
    const { lookup, hold } = open();
    const release = hold();
    const first = lookup(['a'], 'ada');
    const gone = new AbortController();
    const second = lookup(['a'], 'ada', { signal: gone.signal });
    await nextTurn();
    gone.abort(new Error('gone'));
    await assert.rejects(second, { message: 'gone' });
    release();
    await first;
  });

  it('tells callers apart, unless the source shares its answers and gets no token', async () => {
    const own = open();
    await own.lookup(['a'], 'ada');
    await own.lookup(['a'], 'grace');
    assert.equal(own.asked.length, 2);
    const shared = open({ shared: true });
    await shared.lookup(['a'], 'ada');
    await shared.lookup(['a'], 'grace');
    assert.equal(shared.asked.length, 1);
    await shared.lookup(['a'], 'grace', { clearance: 'SECRET' });
    assert.equal(shared.asked.length, 2);
    await shared.lookup(['a'], 'ada', { hasToken: true });
    await shared.lookup(['a'], 'grace', { hasToken: true });
    assert.equal(shared.asked.length, 4);
  });

  it('never has one key for two questions of which one must not get the answer of the other', () => {
    const word = fc.constantFrom('a', 'b', '', '"', ',', '["a"', 'a","b', '\\', 'null');
    const question = fc.record({
      source: word,
      url: word,
      caller: word,
      clearance: word,
      limit: fc.nat(2),
      noAnnotation: fc.boolean(),
      includeRaw: fc.boolean(),
      noCache: fc.boolean(),
      hasToken: fc.boolean(),
      signal: fc.constant(NEVER_ABORTED),
    });
    const selector = fc.record({ type: word, value: word, classification: word });
    fc.assert(
      fc.property(fc.boolean(), question, selector, question, selector, (shared, one, its, other, others) => {
        const isSameQuestion =
          JSON.stringify([its, one.source, one.url, one.limit, one.noAnnotation, one.includeRaw, one.clearance]) ===
          JSON.stringify([
            others,
            other.source,
            other.url,
            other.limit,
            other.noAnnotation,
            other.includeRaw,
            other.clearance,
          ]);
        const isForBoth = shared && !one.hasToken && !other.hasToken;
        const mixesTokens = shared && one.hasToken !== other.hasToken;
        const may = isSameQuestion && !mixesTokens && (isForBoth || one.caller === other.caller);
        assert.equal(cacheKey({ shared }, one, its) === cacheKey({ shared }, other, others), may);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('LookupCache', () => {
  it('drops the oldest first above its limit', () => {
    const cache = new LookupCache({ maxBytes: 40_000 });
    for (let key = 0; key < 100; key += 1) cache.put(`${key}`, `user ${key}`, 'x'.repeat(500), 1000);
    assert.ok(cache.bytes <= 40_000);
    assert.equal(cache.get('0'), undefined);
    assert.ok(cache.get('99'));
  });

  it('drops only the entries of a user who stores much', () => {
    const cache = new LookupCache({ maxBytes: 40_000 });
    cache.put('of ada', 'ada', 'kept', 1000);
    for (let key = 0; key < 1000; key += 1) cache.put(`${key}`, 'flood', 'x'.repeat(500), 1000);
    assert.equal(cache.get('of ada'), 'kept');
    assert.ok(cache.bytes <= 11_000);
  });

  it('keeps nothing that is larger than the share of a user, and counts what it has', () => {
    const cache = new LookupCache({ maxBytes: 40_000 });
    cache.put('large', 'ada', 'x'.repeat(10_000), 1000);
    assert.deepEqual([cache.size, cache.bytes], [0, 0]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(3), fc.nat(3000)), { maxLength: 200 }), (puts) => {
        const clock = { now: 0 };
        const small = new LookupCache({ maxBytes: 40_000, now: () => clock.now });
        for (const [key, owner, length] of puts) {
          clock.now += 1;
          small.put(`${key}`, `${owner}`, 'x'.repeat(length), 50);
          assert.ok(small.bytes <= 40_000);
        }
        clock.now += 50;
        for (let key = 0; key <= 20; key += 1) assert.equal(small.get(`${key}`), undefined);
        assert.deepEqual([small.size, small.bytes], [0, 0]);
      }),
    );
  });
});

function open({ shared = false } = {}) {
  const clock = { now: 0 };
  const cached = new CachedLookup(new LookupCache({ now: () => clock.now }), { ttl: 60, shared });
  const asked: string[][] = [];
  const answers = new Map<string, { items: readonly unknown[]; error?: string }>();
  let holding: { readonly until: Promise<void>; readonly error: Error | undefined } | undefined;
  const lookup = async (values: readonly string[], caller: string, options: Partial<CacheQuestion> = {}) => {
    const question: CacheQuestion = {
      source: 'feed',
      url: 'http://feed',
      limit: 10,
      noAnnotation: false,
      includeRaw: false,
      noCache: false,
      caller,
      clearance: 'U',
      hasToken: false,
      signal: NEVER_ABORTED,
      ...options,
    };
    const selectors = values.map((value) => ({ type: 'domain', value, classification: 'U' }));
    const found = await cached.lookup(selectors, question, async (left) => {
      asked.push(left.map(({ value }) => value));
      const held = holding;
      holding = undefined;
      await held?.until;
      if (held?.error) throw held.error;
      return new Map(left.map((one) => [one, answers.get(one.value) ?? { items: [one.value] }] as const));
    });
    return Object.fromEntries([...found].map(([{ value }, answer]) => [value, answer] as const).sort());
  };
  /** Holds the next question back until it is released, and lets it fail then with `error`. */
  const hold = (error?: Error) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    holding = { until: promise, error };
    return resolve;
  };
  return { lookup, asked, answers, clock, hold };
}
