import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { DatastoreSubject } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series, thingDefinition } from '../things.ts';

export function lifecycleArea(subject: DatastoreSubject): void {
  it('is healthy while it is open', async () => {
    const store = await subject.open();
    const { ok, detail } = await store.health();
    assert.equal(ok, true, detail);
    await store.close();
  });

  it('refuses everything with `datastore_unavailable` once it is closed, and closes twice', async () => {
    const store = await subject.open();
    const things = store.collection(thingDefinition());
    await fill(things, series(3));
    await store.close();
    await store.close();
    const { ok, detail } = await store.health();
    assert.equal(ok, false);
    assert.notEqual(detail, '');
    const refused = { kind: 'unavailable', code: 'datastore_unavailable' };
    await assert.rejects(things.get('t0000', EVERYTHING), refused);
    await assert.rejects(things.getMany(['t0000'], EVERYTHING), refused);
    await assert.rejects(things.save('a', { thing_id: 'a' }), refused);
    await assert.rejects(things.update('t0000', []), refused);
    await assert.rejects(things.delete('t0000'), refused);
    await assert.rejects(things.bulk([{ kind: 'delete', id: 't0000' }]), refused);
    await assert.rejects(things.search(ALL, EVERYTHING), refused);
    await assert.rejects(things.count(ALL, EVERYTHING), refused);
    await assert.rejects(Array.fromAsync(things.stream(ALL, EVERYTHING)), refused);
    await assert.rejects(store.admin.list('*'), refused);
  });

  it('finishes what was begun before it closes', async () => {
    const store = await subject.open();
    const things = store.collection(thingDefinition());
    await fill(things, series(20));
    const begun = [
      ...series(50).map((document, index) => things.save(`later${index}`, document)),
      things.search(ALL, EVERYTHING),
      things.facet({ ...ALL, field: 'thing_id' }, EVERYTHING),
    ];
    await store.close();
    const outcomes = await Promise.allSettled(begun);
    assert.deepEqual(
      outcomes.filter(({ status }) => status === 'rejected'),
      [],
    );
  });

  const { reopen } = subject;
  if (reopen === undefined) return;

  it('has documents, versions, aliases and searches again after a restart', async () => {
    const first = await subject.open();
    const definition = thingDefinition();
    const things = first.collection(definition);
    await fill(
      things,
      series(200, (index) => ({ port: index, note: `word${index % 3}`, tags: ['a', `b${index % 2}`] })),
    );
    await things.update('t0007', [{ op: 'set', path: 'name', value: 'renamed' }]);
    await things.delete('t0008');
    const version = (await things.getVersioned('t0007', EVERYTHING))?.version;
    const other = `${first.admin.prefix}-${definition.name}-other`;
    await first.admin.create(other, definition as CollectionDefinition<unknown>, {
      aliases: [{ name: `${other}-alias` }],
    });
    await first.admin.blockWrites(other);
    const before = await first.admin.list(`${first.admin.prefix}-*`);

    const second = await reopen(first);
    const again = second.collection(definition);
    assert.equal(await again.count(ALL, EVERYTHING), 199);
    assert.deepEqual(await again.getVersioned('t0007', EVERYTHING), {
      document: { thing_id: 't0007', port: 7, note: 'word1', tags: ['a', 'b1'], name: 'renamed' },
      version,
    });
    assert.equal(await again.get('t0008', EVERYTHING), undefined);
    assert.deepEqual(await found(again, 'name:renamed AND note:word1 AND tags:b1'), ['t0007']);
    assert.equal((await again.facet({ ...ALL, field: 'tags' }, EVERYTHING)).buckets[0]?.count, 199);
    assert.deepEqual(
      (await second.admin.list(`${first.admin.prefix}-*`)).map(({ bytes: _, ...info }) => info),
      before.map(({ bytes: _, ...info }) => info),
    );
    const next = await again.save('t0007', { thing_id: 't0007' }, { ifVersion: version ?? '' });
    assert.notEqual(next, version);
    await second.close();
  });

  it('never uses a version again, not even after a restart', async () => {
    const first = await subject.open();
    const definition = thingDefinition();
    const versions = [await first.collection(definition).save('a', { thing_id: 'a' })];
    await first.collection(definition).delete('a');
    const second = await reopen(first);
    versions.push(await second.collection(definition).save('a', { thing_id: 'a' }));
    await second.collection(definition).delete('a');
    const third = await reopen(second);
    versions.push(await third.collection(definition).save('a', { thing_id: 'a' }));
    assert.equal(new Set(versions).size, 3, versions.join(' '));
    await third.close();
  });
}
