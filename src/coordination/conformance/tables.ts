import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type CoordinationSubject, openForArea } from './subject.ts';

export function tablesArea(subject: CoordinationSubject): void {
  const opened = openForArea(subject);

  it('stores any JSON under a key of a table, and replaces it', async () => {
    const { coordination, peer } = opened.current;
    const stored = { text: 'ü\u0000"', list: [1, null, { deep: true }], number: 1.5 };
    await coordination.tables.put('values', 'key', stored);
    assert.deepEqual(await peer.tables.get('values', 'key'), stored);
    await peer.tables.put('values', 'key', null);
    assert.equal(await coordination.tables.get('values', 'key'), null);
    assert.equal(await coordination.tables.get('values', 'other'), undefined);
    assert.equal(await coordination.tables.get('no such table', 'key'), undefined);
  });

  it('stores several entries at once, and every reader sees all of them or none', async () => {
    const { coordination, peer } = opened.current;
    const entries = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]));
    const storing = coordination.tables.putAll('several', entries);
    const sizes = await Promise.all(Array.from({ length: 20 }, () => peer.tables.size('several')));
    await storing;
    assert.ok(
      sizes.every((size) => size === 0 || size === 500),
      `seen: ${sizes}`,
    );
    await peer.tables.putAll('several', { k1: 'new', more: true });
    await peer.tables.putAll('several', {});
    const all = await coordination.tables.entries('several');
    assert.equal(all.size, 501);
    assert.deepEqual([all.get('k0'), all.get('k1'), all.get('more')], [0, 'new', true]);
    assert.equal(await coordination.tables.size('several'), 501);
  });

  it('stores the value of exactly one of many who put it if absent', async () => {
    const { coordination, peer } = opened.current;
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? peer : coordination).tables.putIfAbsent('absent', 'key', n)),
    );
    assert.equal(stored.filter(Boolean).length, 1);
    assert.equal(await peer.tables.get('absent', 'key'), stored.indexOf(true));
    assert.equal(await peer.tables.putIfAbsent('absent', 'other', null), true);
    assert.equal(await peer.tables.putIfAbsent('absent', 'other', 1), false);
    await peer.tables.take('absent', 'other');
    assert.equal(await peer.tables.putIfAbsent('absent', 'other', 1), true);
  });

  it('gives an entry to exactly one of many takers', async () => {
    const { coordination, peer } = opened.current;
    await coordination.tables.putAll('taken', { a: 1, b: 2 });
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? peer : coordination).tables.take('taken', 'a')),
    );
    assert.deepEqual(
      taken.filter((value) => value !== undefined),
      [1],
    );
    assert.deepEqual([...(await peer.tables.entries('taken'))], [['b', 2]]);
  });

  it('drops a table whole and leaves the others', async () => {
    const { coordination, peer } = opened.current;
    await coordination.tables.putAll('dropped', { a: 1, b: 2 });
    await coordination.tables.put('dropped:other', 'a', 1);
    assert.equal(await peer.tables.drop('dropped'), 2);
    assert.equal(await peer.tables.drop('dropped'), 0);
    assert.equal(await coordination.tables.size('dropped'), 0);
    assert.deepEqual(await coordination.tables.entries('dropped'), new Map());
    assert.equal(await coordination.tables.size('dropped:other'), 1);
  });

  it('names the tables that start so and have entries', async () => {
    const { coordination, peer } = opened.current;
    await coordination.tables.putAll('names:b', { x: 1, y: 2 });
    await coordination.tables.put('names:a', 'x', 1);
    await coordination.tables.put('names:empty', 'x', 1);
    await coordination.tables.take('names:empty', 'x');
    await coordination.tables.put('other:names:', 'x', 1);
    assert.deepEqual(await peer.tables.list('names:'), ['names:a', 'names:b']);
    assert.deepEqual(await peer.tables.list('names*'), []);
  });

  it('takes no key for a part of the object that carries it', async () => {
    const { tables } = opened.current.coordination;
    await tables.putAll('odd', JSON.parse('{"__proto__": 1, "constructor": 2, "": 3}'));
    assert.deepEqual(new Set((await tables.entries('odd')).keys()), new Set(['__proto__', 'constructor', '']));
    assert.equal(await tables.get('odd', 'toString'), undefined);
  });

  if (!subject.keepsState) return;
  it('has its entries again after a restart', async () => {
    const first = await subject.open();
    await first.coordination.tables.putAll('kept', { a: 1, b: { c: 2 }, d: 3 });
    await first.coordination.tables.take('kept', 'd');
    const second = await first.restart();
    assert.deepEqual(Object.fromEntries(await second.coordination.tables.entries('kept')), { a: 1, b: { c: 2 } });
    await second.peer.close();
    await second.coordination.close();
  });
}
