import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series } from '../things.ts';

export function documentsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('has no document that was never saved, and does not call that an error', async () => {
    const things = opened.things();
    assert.equal(await things.get('never', EVERYTHING), undefined);
    assert.equal(await things.getVersioned('never', EVERYTHING), undefined);
    assert.deepEqual(await things.getMany(['never', 'ever'], EVERYTHING), [undefined, undefined]);
    assert.equal(await things.count(ALL, EVERYTHING), 0);
    assert.equal(await things.delete('never'), false);
  });

  it('gives back exactly what was saved', async () => {
    const things = opened.things();
    const documents = [
      { thing_id: 'plain', name: 'a', port: 1 },
      { thing_id: 'empty', name: '', tags: [], comments: [], labels: {} },
      { thing_id: 'null', name: null, owner: { name: null } },
      {
        thing_id: 'nested',
        owner: { name: 'x', age: 3 },
        comments: [{ user: 'u', value: 'v', stars: 5 }, { user: 'w' }],
      },
      { thing_id: 'text', name: 'é ß 🔥 \u202e "quoted" \\ \n\t end', note: '漢字 '.repeat(2000) },
      { thing_id: 'numbers', size: '9223372036854775807', score: -0.1, port: -2147483648, ports: [3, 1, 2, 3] },
      {
        thing_id: 'kinds',
        active: false,
        seen: '2026-01-02T03:04:05.000006Z',
        address: '::1',
        labels: { a: '1', b: '2' },
      },
      { thing_id: 'secret', secret: 'kept' },
      { thing_id: 'mixed', secret: ['kept', 1, true, null] },
      { thing_id: 'undeclared', not_declared: { texts: ['one', null], count: 2, deep: [{ flag: true }, {}] } },
    ];
    for (const document of documents) {
      await things.save(document.thing_id, document, { visible: 'now' });
      assert.deepEqual(await things.get(document.thing_id, EVERYTHING), document);
      assert.deepEqual((await things.getVersioned(document.thing_id, EVERYTHING))?.document, document);
    }
    const { items } = await things.search({ ...ALL }, EVERYTHING);
    assert.deepEqual(
      new Map(items.map(({ id, document }) => [id, document])),
      new Map(documents.map((it) => [it.thing_id, it])),
    );
  });

  it('keeps the order of an object’s keys', async () => {
    const things = opened.things();
    await things.save('order', { thing_id: 'order', labels: { z: '1', a: '2', m: '3' } });
    const document = await things.get('order', EVERYTHING);
    assert.deepEqual(Object.keys((document?.labels ?? {}) as object), ['z', 'a', 'm']);
  });

  it('takes any text for an identifier', async () => {
    const things = opened.things();
    const ids = [
      'a/b',
      ' ',
      'é🔥',
      '%_*?',
      `"'\\`,
      '..',
      'CASE',
      'case',
      '0',
      '00',
      '-1',
      '__proto__',
      'x'.repeat(400),
    ];
    for (const id of ids) await things.save(id, { thing_id: id, name: `name of ${id}` }, { visible: 'now' });
    const documents = await things.getMany(ids, EVERYTHING);
    assert.deepEqual(
      documents.map((document) => document?.thing_id),
      ids,
    );
    const { items } = await things.search({ query: { kind: 'ids', ids: ['%_*?', 'CASE', 'absent'] } }, EVERYTHING);
    assert.deepEqual(items.map(({ id }) => id).toSorted(), ['%_*?', 'CASE']);
    for (const id of ids) assert.equal(await things.delete(id), true, id);
  });

  it('gives many in the order asked for, repeated ones repeated', async () => {
    const things = opened.things();
    await fill(things, series(5));
    const documents = await things.getMany(['t0003', 'missing', 't0000', 't0003'], EVERYTHING);
    assert.deepEqual(
      documents.map((document) => document?.thing_id),
      ['t0003', undefined, 't0000', 't0003'],
    );
    assert.deepEqual(await things.getMany([], EVERYTHING), []);
  });

  it('replaces the whole document when it is saved again', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', name: 'old', tags: ['old'], owner: { name: 'old' } }, { visible: 'now' });
    await things.save('a', { thing_id: 'a', name: 'new', owner: { age: 1 } }, { visible: 'now' });
    assert.deepEqual(await things.get('a', EVERYTHING), { thing_id: 'a', name: 'new', owner: { age: 1 } });
    assert.deepEqual(await found(things, 'name:old OR tags:old OR owner.name:old'), []);
    assert.deepEqual(await found(things, 'name:new'), ['a']);
    assert.equal(await things.count(ALL, EVERYTHING), 1);
  });

  it('says whether a deleted document was there, and can save it again', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', name: 'first' });
    assert.equal(await things.delete('a', { visible: 'now' }), true);
    assert.equal(await things.delete('a'), false);
    assert.equal(await things.get('a', EVERYTHING), undefined);
    assert.equal(await things.count(ALL, EVERYTHING), 0);
    await things.save('a', { thing_id: 'a', name: 'second' }, { visible: 'now' });
    assert.deepEqual(await things.get('a', EVERYTHING), { thing_id: 'a', name: 'second' });
    assert.deepEqual(await found(things, 'name:*'), ['a']);
  });

  it('keeps collections apart', async () => {
    const one = opened.things();
    const other = opened.things();
    await one.save('same', { thing_id: 'same', name: 'one' }, { visible: 'now' });
    await other.save('same', { thing_id: 'same', name: 'other' }, { visible: 'now' });
    assert.equal((await one.get('same', EVERYTHING))?.name, 'one');
    assert.deepEqual(await found(other, 'name:one'), []);
    await one.delete('same', { visible: 'now' });
    assert.equal((await other.get('same', EVERYTHING))?.name, 'other');
  });

  it('is one collection however often it is asked for', async () => {
    const things = opened.things();
    const again = opened.collection(things.definition);
    await things.save('a', { thing_id: 'a' }, { visible: 'now' });
    assert.notEqual(await again.get('a', EVERYTHING), undefined);
    assert.equal(await again.count(ALL, EVERYTHING), 1);
  });

  it('declares the capabilities that are expected of it', () => {
    assert.deepEqual({ ...opened.store.capabilities }, subject.expectedCapabilities);
  });
}
