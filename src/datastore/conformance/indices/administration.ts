import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AliasAction } from '../../port/index-admin.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { ALL, EVERYTHING, found, thingDefinition } from '../things.ts';
import { fillIndex, finished, indexBehind, scanned } from './filled-index.ts';

export function administrationArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const admin = () => opened.store.admin;
  const setUp = (count = 5) => fillIndex(opened.things(), admin(), count);

  it('makes the index of a collection by itself, behind the alias of its name', async () => {
    const { things, index, alias } = await setUp();
    assert.ok(index.name.startsWith(`${admin().prefix}-`));
    assert.equal(index.documents, 5);
    assert.ok(index.bytes >= 0);
    assert.equal(index.writeBlocked, false);
    assert.ok(Math.abs(Date.now() - index.createdAt.getTime()) < 600_000);
    assert.equal(await admin().exists(index.name), true);
    assert.deepEqual(
      index.aliases.map(({ name }) => name),
      [alias],
    );
    assert.equal(await things.count(ALL, EVERYTHING), 5);
  });

  it('creates, lists by pattern and deletes indices', async () => {
    const { definition } = await setUp();
    const name = (end: string) => `${admin().prefix}-${definition.name}-${end}`;
    for (const end of ['b', 'a', 'ab']) await admin().create(name(end), definition);
    const names = async (pattern: string) => (await admin().list(pattern)).map((info) => info.name);
    assert.deepEqual(await names(name('*')), [name('a'), name('ab'), name('b')]);
    assert.deepEqual(await names(name('?')), [name('a'), name('b')]);
    assert.deepEqual(await names(name('a')), [name('a')]);
    assert.deepEqual(await names(name('nothing*')), []);
    assert.equal(await admin().exists(name('a')), true);
    await admin().delete(name('a'));
    assert.equal(await admin().exists(name('a')), false);
    assert.deepEqual(await names(name('*')), [name('ab'), name('b')]);
  });

  it('refuses to create what exists, and to touch what does not', async () => {
    const { index, alias, definition } = await setUp();
    const exists = { kind: 'conflict', code: 'index_exists' };
    await assert.rejects(admin().create(index.name, definition), exists);
    await assert.rejects(admin().create(alias, definition), exists, 'an alias has that name');
    const missing = { kind: 'not_found', code: 'index_missing' };
    const none = `${admin().prefix}-none`;
    assert.equal(await admin().exists(none), false);
    await assert.rejects(admin().delete(none), missing);
    await assert.rejects(admin().blockWrites(none), missing);
    await assert.rejects(admin().addFields(none, definition), missing);
    await assert.rejects(admin().setLifecycle(none, 'policy', alias), missing);
    await assert.rejects(admin().switchAliases([{ kind: 'add', index: none, alias: `${none}-alias` }]), missing);
    await assert.rejects(Array.fromAsync(admin().scan(none, {})), missing);
  });

  it('does not take an alias for an index', async () => {
    const { alias } = await setUp();
    assert.equal(await admin().exists(alias), false);
    assert.deepEqual(
      (await admin().list(alias)).map(({ name }) => name),
      [],
    );
  });

  it('refuses every write to a blocked index and reads on', async () => {
    const { things, index } = await setUp();
    await admin().blockWrites(index.name);
    await admin().blockWrites(index.name);
    const refused = { kind: 'unavailable', code: 'write_blocked' };
    await assert.rejects(things.save('new', { thing_id: 'new' }), refused);
    await assert.rejects(things.update('t0000', [{ op: 'set', path: 'port', value: 9 }]), refused);
    await assert.rejects(things.delete('t0000'), refused);
    await assert.rejects(
      things.updateWhere(ALL, [{ op: 'set', path: 'port', value: 9 }], { access: EVERYTHING }),
      refused,
    );
    await assert.rejects(things.deleteWhere(ALL, { access: EVERYTHING }), refused);
    const [result] = await things.bulk([{ kind: 'save', id: 'new', document: { thing_id: 'new' } }]);
    assert.equal(result?.ok === false && result.code, 'write_blocked');
    assert.equal(await things.count(ALL, EVERYTHING), 5);
    assert.equal((await things.get('t0000', EVERYTHING))?.port, 0);
    assert.equal((await admin().list(index.name))[0]?.writeBlocked, true);

    await admin().unblockWrites(index.name);
    await admin().unblockWrites(index.name);
    await things.save('new', { thing_id: 'new' }, { visible: 'now' });
    assert.equal(await things.count(ALL, EVERYTHING), 6);
  });

  it('gives an index another name, if it can do that without copying', async () => {
    const { things, index, alias } = await setUp(3);
    if (admin().rename === undefined) return;
    const name = `${index.name}-renamed`;
    await admin().rename?.(index.name, name);
    assert.equal(await admin().exists(index.name), false);
    assert.equal((await indexBehind(admin(), alias)).name, name);
    assert.deepEqual(await found(things, 'port:1'), ['t0001']);
    await assert.rejects(Promise.resolve(admin().rename?.(index.name, `${name}2`)), { code: 'index_missing' });
    await assert.rejects(Promise.resolve(admin().rename?.(name, alias)), { code: 'index_exists' });
  });

  it('switches aliases all at once', async () => {
    const { things, index, alias, definition } = await setUp(3);
    const target = `${index.name}-next`;
    await admin().create(target, definition);
    const task = await admin().copy(index.name, target, { transform: (document) => ({ ...document, name: 'copied' }) });
    await finished(admin(), task);
    await admin().switchAliases([
      { kind: 'add', index: target, alias, writeIndex: true },
      { kind: 'remove', index: index.name, alias },
    ]);
    assert.deepEqual((await indexBehind(admin(), alias)).name, target);
    assert.deepEqual(await found(things, 'name:copied'), ['t0000', 't0001', 't0002']);
    await things.save('new', { thing_id: 'new' }, { visible: 'now' });
    assert.equal((await admin().list(target))[0]?.documents, 4);
    assert.equal((await admin().list(index.name))[0]?.documents, 3);
  });

  it('switches nothing when one alias is not where it must be', async () => {
    const { index, alias, definition, things } = await setUp(3);
    const target = `${index.name}-next`;
    await admin().create(target, definition);
    const actions: AliasAction[] = [
      { kind: 'add', index: target, alias: `${alias}-extra` },
      { kind: 'remove', index: index.name, alias },
      { kind: 'add', index: target, alias, writeIndex: true },
      { kind: 'remove', index: target, alias: `${alias}-nowhere` },
    ];
    await assert.rejects(admin().switchAliases(actions), { kind: 'not_found', code: 'alias_missing' });
    assert.deepEqual((await admin().list(target))[0]?.aliases, []);
    assert.equal((await indexBehind(admin(), alias)).name, index.name);
    assert.equal(await things.count(ALL, EVERYTHING), 3);
    const optional: AliasAction = { kind: 'remove', index: target, alias: `${alias}-nowhere`, mustExist: false };
    await admin().switchAliases([optional, { kind: 'add', index: target, alias: `${alias}-extra` }]);
    assert.deepEqual(
      (await admin().list(target))[0]?.aliases.map(({ name }) => name),
      [`${alias}-extra`],
    );
  });

  it('deletes an index in the step that gives its name to an alias', async () => {
    const { index, alias, definition, things } = await setUp(3);
    const bare = `${alias}-bare`;
    await admin().create(bare, definition);
    const refused = [
      { kind: 'delete_index', index: bare },
      { kind: 'remove', index: index.name, alias: `${alias}-nowhere` },
    ] as const;
    await assert.rejects(admin().switchAliases(refused), { code: 'alias_missing' });
    assert.equal(await admin().exists(bare), true, 'deleted although another action was refused');
    await admin().switchAliases([
      { kind: 'add', index: index.name, alias: bare },
      { kind: 'delete_index', index: bare },
    ]);
    assert.equal(await admin().exists(bare), false);
    assert.deepEqual(
      (await admin().list(index.name))[0]?.aliases.map(({ name }) => name),
      [alias, bare],
    );
    assert.equal(await things.count(ALL, EVERYTHING), 3);
    await assert.rejects(admin().switchAliases([{ kind: 'delete_index', index: bare }]), { code: 'index_missing' });
  });

  it('adds fields to an index that has documents', async () => {
    const { index, definition, things } = await setUp(2);
    const name = definition.name;
    const wider = thingDefinition({ name });
    const port = definition.fieldByPath.get('port');
    assert.ok(port);
    const fields = [...wider.fields, { ...port, path: 'added', description: 'A field that came later.' }];
    const extended = { ...wider, fields, fieldByPath: new Map(fields.map((field) => [field.path, field])) };
    await admin().addFields(index.name, extended);
    await admin().addFields(index.name, extended);
    const later = opened.collection(extended);
    await later.save('new', { thing_id: 'new', added: 5 }, { visible: 'now' });
    assert.deepEqual(await found(later, 'added:>4'), ['new']);
    assert.deepEqual(await found(later, 'port:>=0'), ['t0000', 't0001']);
    assert.equal(await things.count(ALL, EVERYTHING), 3);
  });

  it('compacts without losing anything, and tells the free space or nothing', async () => {
    const { index, things } = await setUp(100);
    await things.deleteWhere(
      { query: { kind: 'ids', ids: ['t0001', 't0002'] } },
      { access: EVERYTHING, visible: 'now' },
    );
    await admin().compact(index.name);
    assert.equal(await things.count(ALL, EVERYTHING), 98);
    assert.equal((await scanned(admin(), index.name)).length, 98);
    const free = await admin().freeBytes();
    assert.ok(free === undefined || free > 0);
    for (const phased of (await admin().phases()).keys()) assert.ok(phased.startsWith(`${admin().prefix}-`));
  });
}
