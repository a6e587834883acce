import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredToken } from '../coordination.ts';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function tokensArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('returns what was put, any JSON, to every process', async () => {
    const { coordination, peer } = opened.current;
    for (const value of ['text', 0, false, null, [1, { a: 'b' }], { nested: { list: [] } }, 'é🔥\u0000']) {
      await coordination.tokens.put('json', value, 60_000);
      assert.deepEqual(await coordination.tokens.get('json'), value);
      assert.deepEqual(await peer.tokens.get('json'), value);
    }
  });

  it('has nothing under a key that was never put', async () => {
    const { tokens } = opened.current.coordination;
    assert.equal(await tokens.get('never'), undefined);
    assert.equal(await tokens.take('never'), undefined);
    assert.equal(await tokens.remove('never'), false);
  });

  it('replaces value and lifetime', async () => {
    const { coordination, advance } = opened.current;
    await coordination.tokens.put('replaced', 'first', 100);
    await coordination.tokens.put('replaced', 'second', 60_000);
    await advance(150);
    assert.equal(await coordination.tokens.get('replaced'), 'second');
  });

  it('forgets a token when its lifetime is over, for every method', async () => {
    const { coordination, advance } = opened.current;
    for (const key of ['over:get', 'over:take', 'over:remove', 'over:prefix']) {
      await coordination.tokens.put(key, 1, 100);
    }
    await advance(150);
    assert.equal(await coordination.tokens.get('over:get'), undefined);
    assert.equal(await coordination.tokens.take('over:take'), undefined);
    assert.equal(await coordination.tokens.remove('over:remove'), false);
    assert.equal(await coordination.tokens.removeWithPrefix('over:prefix'), 0);
  });

  it('gives a token to exactly one of many takers', async () => {
    const { coordination, peer } = opened.current;
    await coordination.tokens.put('once', { code: 7 }, 60_000);
    const takers = Array.from({ length: 20 }, (_, index) => (index % 2 ? peer : coordination).tokens.take('once'));
    const taken = (await Promise.all(takers)).filter((value) => value !== undefined);
    assert.deepEqual(taken, [{ code: 7 }]);
    assert.equal(await coordination.tokens.get('once'), undefined);
  });

  it('removes one token and says whether there was one', async () => {
    const { coordination, peer } = opened.current;
    await coordination.tokens.put('removed', 1, 60_000);
    assert.equal(await peer.tokens.remove('removed'), true);
    assert.equal(await coordination.tokens.get('removed'), undefined);
    assert.equal(await coordination.tokens.remove('removed'), false);
  });

  it('removes all keys that start so, and no other', async () => {
    const { tokens } = opened.current.coordination;
    const inside = ['user:a:', 'user:a:1', 'user:a:2*', 'user:a:é🔥', 'user:a:%_'];
    const outside = ['user:a', 'user:b:1', 'user:A:1', 'user:a;1'];
    for (const key of [...inside, ...outside]) await tokens.put(key, key, 60_000);
    assert.equal(await tokens.removeWithPrefix('user:a:'), inside.length);
    for (const key of inside) assert.equal(await tokens.get(key), undefined, key);
    for (const key of outside) assert.equal(await tokens.get(key), key);
    assert.equal(await tokens.removeWithPrefix('user:a:'), 0);
  });

  it('shows all keys that start so with value and expiry, and no other', async () => {
    const { coordination, peer } = opened.current;
    const keys = Array.from({ length: 1500 }, (_, index) => `shown:${index % 2 ? 'é' : '*'}${index}`);
    await Promise.all(keys.map((key, index) => coordination.tokens.put(key, { index }, 60_000)));
    for (const key of ['shown', 'shownx', 'Shown:1']) await coordination.tokens.put(key, key, 60_000);
    await coordination.tokens.put('shown:ended', 1, 0);
    const found = new Map<string, StoredToken>();
    for await (const batch of peer.tokens.scan('shown:')) for (const token of batch) found.set(token.key, token);
    assert.deepEqual([...found.keys()].sort(), keys.toSorted());
    for (const [index, key] of keys.entries()) {
      const { value, expiresAt = 0 } = found.get(key) ?? {};
      assert.deepEqual(value, { index });
      assert.ok(Math.abs(expiresAt - Date.now() - 60_000) < 30_000, String(expiresAt));
    }
    for await (const batch of peer.tokens.scan('never:')) assert.deepEqual(batch, []);
  });

  it('takes no character of a prefix for a pattern', async () => {
    const { tokens } = opened.current.coordination;
    for (const key of ['p*1', 'px1', 'p%1', 'p_1', 'p[1']) await tokens.put(key, key, 60_000);
    for (const prefix of ['p*', 'p%', 'p_', 'p[']) assert.equal(await tokens.removeWithPrefix(prefix), 1, prefix);
    assert.equal(await tokens.get('px1'), 'px1');
  });

  it('keeps nothing of the caller and gives away nothing of its own', async () => {
    const { tokens } = opened.current.coordination;
    const value = { list: [1] };
    await tokens.put('copied', value, 60_000);
    value.list.push(2);
    const first = await tokens.get('copied');
    assert.deepEqual(first, { list: [1] });
    Object.assign(first as object, { list: 'changed' });
    assert.deepEqual(await tokens.get('copied'), { list: [1] });
  });
}
