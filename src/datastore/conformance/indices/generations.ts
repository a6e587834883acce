import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { ABSENT } from '../../port/versions.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, fill, found, series, thingDefinition } from '../things.ts';

/** Several indices behind one alias, the newest of which takes new documents. */
export function generationsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const admin = () => opened.store.admin;

  const setUp = async ({ lifecyclePolicy }: { lifecyclePolicy?: string } = {}) => {
    const definition = thingDefinition();
    const alias = `${admin().prefix}-${definition.name}`;
    const wide = definition as CollectionDefinition<unknown>;
    const lifecycle = lifecyclePolicy === undefined ? {} : { lifecyclePolicy, rolloverAlias: alias };
    await admin().putTemplate(`${alias}-template`, `${alias}-*`, wide, lifecycle);
    await admin().create(`${alias}-000001`, wide, { aliases: [{ name: alias, writeIndex: true }] });
    return { things: opened.collection(definition), alias };
  };
  /** One document in each of two generations. */
  const twoGenerations = async () => {
    const { things, alias } = await setUp();
    await fill(things, [{ thing_id: 'old', name: 'x', port: 1 }]);
    const second = await admin().rollover(alias, { force: true });
    await fill(things, [{ thing_id: 'new', name: 'x', port: 2 }]);
    return { things, alias, second };
  };

  it('uses the indices behind its alias instead of making one', async () => {
    const { things, alias } = await setUp();
    await fill(things, [{ thing_id: 'a' }]);
    assert.deepEqual(
      (await admin().list(`${alias}*`)).map(({ name, documents }) => [name, documents]),
      [[`${alias}-000001`, 1]],
    );
  });

  it('rolls over on demand to the next generation, which takes the new documents', async () => {
    const { alias, second } = await twoGenerations();
    assert.equal(second, `${alias}-000002`);
    const generations = await admin().list(`${alias}-*`);
    assert.deepEqual(
      generations.map(({ name, documents, aliases }) => [name, documents, aliases[0]?.writeIndex]),
      [
        [`${alias}-000001`, 1, false],
        [`${alias}-000002`, 1, true],
      ],
    );
    assert.equal(await admin().rollover(alias, { force: true }), `${alias}-000003`);
  });

  it('rolls over when a condition is met, and not before', async () => {
    const { things, alias } = await setUp();
    await fill(things, [{ thing_id: 'a' }]);
    assert.equal(await admin().rollover(alias, { maxAge: '1d', maxPrimaryShardSize: '50gb' }), undefined);
    assert.equal((await admin().list(`${alias}-*`)).length, 1);
    await sleep(5);
    assert.equal(await admin().rollover(alias, { maxAge: '1ms', maxPrimaryShardSize: '50gb' }), `${alias}-000002`);
  });

  it('reads, searches, counts, groups and streams all generations as one', async () => {
    const { things } = await twoGenerations();
    assert.deepEqual(
      (await things.getMany(['new', 'old'], EVERYTHING)).map((document) => document?.port),
      [2, 1],
    );
    assert.deepEqual(await found(things, 'name:x'), ['new', 'old']);
    assert.equal(await things.count(ALL, EVERYTHING), 2);
    const sort = [{ field: 'port', order: 'asc' }] as const;
    const page = await things.search({ ...ALL, sort, offset: 1, rows: 1 }, EVERYTHING);
    assert.deepEqual([page.total, page.items[0]?.id], [2, 'new']);
    assert.deepEqual(
      (await things.facet({ ...ALL, field: 'name' }, EVERYTHING)).buckets.map(({ key, count }) => [key, count]),
      [['x', 2]],
    );
    assert.equal(Number((await things.stats({ ...ALL, field: 'port' }, EVERYTHING)).sum), 3);
    const grouped = await things.group({ ...ALL, field: 'name', limit: 5 }, EVERYTHING);
    assert.deepEqual([grouped.total, grouped.groups.length, grouped.groups[0]?.items.length], [2, 1, 2]);
    const streamed = await Array.fromAsync(things.stream(ALL, EVERYTHING));
    assert.deepEqual(
      streamed.map(({ id }) => id),
      ['new', 'old'],
    );
  });

  it('writes an old document where it lies, and never twice', async () => {
    const { things, alias } = await twoGenerations();
    const now = { visible: 'now' } as const;
    await things.save('old', { thing_id: 'old', port: 10 }, now);
    await things.update('old', [{ op: 'increment', path: 'port', by: 5 }], now);
    await things.bulk([{ kind: 'update', id: 'old', operations: [{ op: 'increment', path: 'port', by: 1 }] }], now);
    await assert.rejects(things.save('old', { thing_id: 'old' }, { ifVersion: ABSENT }), { code: 'already_exists' });
    await things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'y' }], { ...now, access: EVERYTHING });
    assert.deepEqual(await things.get('old', EVERYTHING), { thing_id: 'old', port: 16, name: 'y' });
    assert.deepEqual(await found(things, '*:*'), ['new', 'old']);
    assert.deepEqual(await found(things, 'port:1 OR port:10 OR name:x'), []);
    assert.deepEqual(
      (await admin().list(`${alias}-*`)).map(({ documents }) => documents),
      [1, 1],
    );
    assert.equal(await things.delete('old', now), true);
    assert.deepEqual(await found(things, '*:*'), ['new']);
  });

  it('names the index in versions, and checks them wherever the document lies', async () => {
    const { things, alias } = await twoGenerations();
    for (const [id, index] of [
      ['old', `${alias}-000001`],
      ['new', `${alias}-000002`],
    ] as const) {
      const version = (await things.getVersioned(id, EVERYTHING))?.version ?? '';
      assert.match(version, /^.+---\d+---\d+$/);
      assert.ok(version.startsWith(`${index}---`), version);
      const next = await things.save(id, { thing_id: id }, { ifVersion: version });
      assert.ok(next.startsWith(`${index}---`), next);
      await assert.rejects(things.delete(id, { ifVersion: version }), { code: 'version_conflict' });
    }
  });

  it('refuses writes to a blocked generation only', async () => {
    const { things, alias } = await twoGenerations();
    await admin().blockWrites(`${alias}-000001`);
    await assert.rejects(things.update('old', [{ op: 'set', path: 'port', value: 9 }]), { code: 'write_blocked' });
    await things.update('new', [{ op: 'set', path: 'port', value: 9 }]);
    await things.save('third', { thing_id: 'third' });
    assert.equal((await things.get('old', EVERYTHING))?.port, 1);
  });

  it('continues a cursor that was opened before a rollover', async () => {
    const { things, alias } = await setUp();
    await fill(things, series(7));
    const first = await things.search({ ...ALL, cursor: '*', rows: 3 }, EVERYTHING);
    await admin().rollover(alias, { force: true });
    const ids = first.items.map(({ id }) => id);
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const page = await things.search({ ...ALL, cursor, rows: 3 }, EVERYTHING);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      ids.toSorted(),
      series(7).map(({ thing_id }) => thing_id),
    );
  });

  it('forgets the documents of a deleted generation', async () => {
    const { things, alias } = await twoGenerations();
    await admin().delete(`${alias}-000001`);
    assert.equal(await things.get('old', EVERYTHING), undefined);
    assert.deepEqual(await found(things, '*:*'), ['new']);
  });

  const policy = {
    rollover: { maxAge: '1d', maxPrimaryShardSize: '50gb' },
    warm: { minAge: '2d', forceMergeSegments: 1 },
    cold: { minAge: '30d' },
  };
  if (subject.withoutLifecycles) {
    it('rejects lifecycles that the server does not support, and references to them', async () => {
      const { alias } = await setUp();
      const refused = { kind: 'unsupported', code: 'lifecycle_unsupported' };
      await assert.rejects(admin().putLifecyclePolicy('generations', policy), refused);
      await assert.rejects(setUp({ lifecyclePolicy: 'generations' }), refused);
      await assert.rejects(admin().setLifecycle(`${alias}-000001`, 'generations', alias), refused);
      const options = { lifecyclePolicy: 'generations', rolloverAlias: alias };
      const definition = thingDefinition() as CollectionDefinition<unknown>;
      await assert.rejects(admin().create(`${alias}-000002`, definition, options), refused);
      assert.equal(await admin().exists(`${alias}-000002`), false);
    });
  } else {
    it('gives new generations what their template says', async () => {
      await admin().putLifecyclePolicy('generations', policy);
      const { alias } = await setUp({ lifecyclePolicy: 'generations' });
      await admin().rollover(alias, { force: true });
      await admin().setLifecycle(`${alias}-000001`, 'generations', alias);
      const generations = await admin().list(`${alias}-*`);
      assert.equal(generations.length, 2);
      for (const { name, lifecyclePolicy, rolloverAlias } of generations) {
        assert.deepEqual([lifecyclePolicy, rolloverAlias], ['generations', alias], name);
      }
    });
  }

  it('refuses to roll over what is not an alias', async () => {
    const { alias } = await setUp();
    await assert.rejects(admin().rollover(`${alias}-none`, { force: true }), { kind: 'not_found' });
  });
}
