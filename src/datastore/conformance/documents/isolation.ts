import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found } from '../things.ts';

const DOCUMENT = { thing_id: 'a', name: 'original', tags: ['x'], owner: { name: 'o' }, comments: [{ user: 'u' }] };

export function isolationArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives copies: what the caller does with them stays with the caller', async () => {
    const things = opened.things();
    await fill(things, [structuredClone(DOCUMENT)]);
    const readers: Record<string, () => Promise<StoredDocument | undefined>> = {
      get: () => things.get('a', EVERYTHING),
      getMany: async () => (await things.getMany(['a'], EVERYTHING))[0],
      getVersioned: async () => (await things.getVersioned('a', EVERYTHING))?.document,
      update: async () => (await things.update('a', [])).document,
      search: async () => (await things.search(ALL, EVERYTHING)).items[0]?.document,
      cursor: async () => (await things.search({ ...ALL, cursor: '*' }, EVERYTHING)).items[0]?.document,
      group: async () => (await things.group({ ...ALL, field: 'name' }, EVERYTHING)).groups[0]?.items[0]?.document,
      stream: async () => (await Array.fromAsync(things.stream(ALL, EVERYTHING)))[0]?.document,
    };
    for (const [name, read] of Object.entries(readers)) {
      const document = await read();
      assert.deepEqual(document, DOCUMENT, name);
      spoil(document ?? {});
      assert.deepEqual(await read(), DOCUMENT, `${name}, after its earlier answer was changed`);
      assert.deepEqual(await things.get('a', EVERYTHING), DOCUMENT, `get, after the answer of ${name} was changed`);
    }
  });

  it('gives every reader a copy of its own', async () => {
    const things = opened.things();
    await fill(things, [structuredClone(DOCUMENT)]);
    const [one, other] = await things.getMany(['a', 'a'], EVERYTHING);
    spoil(one ?? {});
    assert.deepEqual(other, DOCUMENT);
    const [first, second] = await Promise.all([things.get('a', EVERYTHING), things.get('a', EVERYTHING)]);
    spoil(first ?? {});
    assert.deepEqual(second, DOCUMENT);
  });

  it('keeps what was handed over, not what becomes of it later', async () => {
    const things = opened.things();
    const saved = structuredClone(DOCUMENT);
    const saving = things.save('a', saved, { visible: 'now' });
    await saving;
    spoil(saved);
    assert.deepEqual(await things.get('a', EVERYTHING), DOCUMENT);

    const value = { user: 'v', deep: ['y'] };
    const { document } = await things.update('a', [{ op: 'append', path: 'comments', value }], { visible: 'now' });
    value.deep.push('later');
    spoil(document);
    assert.deepEqual((await things.get('a', EVERYTHING))?.comments, [{ user: 'u' }, { user: 'v', deep: ['y'] }]);

    const batch = [structuredClone({ ...DOCUMENT, thing_id: 'b' })];
    await fill(things, batch);
    for (const item of batch) spoil(item);
    assert.deepEqual(await things.get('b', EVERYTHING), { ...DOCUMENT, thing_id: 'b' });
    assert.deepEqual(await found(things, 'name:original'), ['a', 'b']);
  });

  it('shares one value among the documents of an update by query, not one object', async () => {
    const things = opened.things();
    await fill(things, [{ thing_id: 'a' }, { thing_id: 'b' }]);
    const value = { name: 'shared', names: ['x'] };
    await things.updateWhere(ALL, [{ op: 'set', path: 'owner', value }], { access: EVERYTHING, visible: 'now' });
    value.names.push('later');
    await things.update('a', [{ op: 'append', path: 'owner.names', value: 'only a' }]);
    assert.deepEqual((await things.get('a', EVERYTHING))?.owner, { name: 'shared', names: ['x', 'only a'] });
    assert.deepEqual((await things.get('b', EVERYTHING))?.owner, { name: 'shared', names: ['x'] });
  });

  it('has nothing in common with another store', async () => {
    const other = await subject.open();
    const things = opened.things();
    await fill(things, [structuredClone(DOCUMENT)]);
    const elsewhere = other.collection(things.definition);
    assert.equal(await elsewhere.get('a', EVERYTHING), undefined);
    assert.equal(await elsewhere.count(ALL, EVERYTHING), 0);
    await other.close();
    assert.equal(await things.count(ALL, EVERYTHING), 1);
  });
}

/** Changes a document at every depth. */
function spoil(document: StoredDocument): void {
  for (const [key, value] of Object.entries(document)) {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) spoil(item);
      value.push('spoiled');
    } else if (typeof value === 'object' && value !== null) {
      spoil(value as StoredDocument);
    } else {
      document[key] = 'spoiled';
    }
  }
  document.spoiled = true;
}
