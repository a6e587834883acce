import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import type { AliasAction, IndexAdmin, IndexInfo, TaskStatus } from '../index-admin.ts';
import { type DatastoreSubject, openForArea } from './subject.ts';
import { ALL, EVERYTHING, fill, found, series, thingDefinition } from './things.ts';

export function administrationArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const admin = () => opened.store.admin;

  /** A collection with documents, and the index that they lie in. */
  const setUp = async (count = 5) => {
    const things = opened.things();
    await fill(
      things,
      series(count, (index) => ({ port: index })),
    );
    const index = await indexBehind(admin(), aliasOf(things.definition));
    return {
      things,
      index,
      alias: aliasOf(things.definition),
      definition: things.definition as CollectionDefinition<unknown>,
    };
  };
  const aliasOf = ({ name }: { name: string }) => `${admin().prefix}-${name}`;

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
    const name = (end: string) => `${aliasOf(definition)}-${end}`;
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

  it('clones a blocked index exactly', async () => {
    const { things, index, alias } = await setUp(30);
    const target = `${index.name}-clone`;
    await admin().blockWrites(index.name);
    await admin().clone(index.name, target);
    assert.equal((await admin().list(target))[0]?.documents, 30);
    assert.deepEqual(await scanned(admin(), target), await scanned(admin(), index.name));
    await assert.rejects(admin().clone(index.name, target), { code: 'index_exists' });
    await assert.rejects(admin().clone(`${index.name}-none`, `${target}2`), { code: 'index_missing' });

    await admin().unblockWrites(target);
    await admin().switchAliases([
      { kind: 'remove', index: index.name, alias },
      { kind: 'add', index: target, alias, writeIndex: true },
    ]);
    assert.deepEqual(await found(things, 'port:[0 TO 1]'), ['t0000', 't0001']);
    await things.save('t0000', { thing_id: 't0000', port: 77 }, { visible: 'now' });
    assert.deepEqual(await found(things, 'port:77'), ['t0000']);
    assert.equal((await scanned(admin(), index.name))[0]?.document.port, 0, 'the source changed with its clone');
  });

  it('copies document by document, changing and leaving out as told', async () => {
    const { index, definition } = await setUp(40);
    const target = `${index.name}-copy`;
    await admin().create(target, definition);
    const task = await admin().copy(index.name, target, {
      transform: (document) => (Number(document.port) % 2 ? undefined : { ...document, name: `n${document.port}` }),
    });
    const status = await finished(admin(), task);
    assert.deepEqual(status.failures, []);
    assert.equal(status.created, 20);
    const documents = await scanned(admin(), target);
    assert.equal(documents.length, 20);
    assert.deepEqual(documents[1], { id: 't0002', document: { thing_id: 't0002', port: 2, name: 'n2' } });
    assert.equal((await scanned(admin(), index.name)).length, 40);
  });

  it('copies everything as it is without a transformation', async () => {
    const { index, definition } = await setUp(1200);
    const target = `${index.name}-copy`;
    await admin().create(target, definition);
    const status = await finished(admin(), await admin().copy(index.name, target));
    assert.deepEqual([status.created, status.total, status.failures], [1200, 1200, []]);
    assert.deepEqual(await scanned(admin(), target), await scanned(admin(), index.name));
  });

  it('finds what was copied, and what is written to the copy afterwards', async () => {
    const { things, index, alias, definition } = await setUp(300);
    const target = `${index.name}-copy`;
    await admin().create(target, definition);
    await finished(admin(), await admin().copy(index.name, target));
    await admin().switchAliases([
      { kind: 'remove', index: index.name, alias },
      { kind: 'add', index: target, alias, writeIndex: true },
    ]);
    assert.deepEqual(await found(things, 'port:[7 TO 9]'), ['t0007', 't0008', 't0009']);
    await things.update('t0007', [{ op: 'set', path: 'port', value: 5000 }], { visible: 'now' });
    await things.save('new', { thing_id: 'new', port: 5000 }, { visible: 'now' });
    assert.deepEqual(await found(things, 'port:5000'), ['new', 't0007']);
    assert.equal((await admin().list(target))[0]?.documents, 301);
    const again = await finished(admin(), await admin().copy(index.name, target));
    assert.deepEqual([again.created, again.failures], [300, []], 'a copy replaces what is there');
    assert.equal((await admin().list(target))[0]?.documents, 301);
    assert.deepEqual(await found(things, 'port:7'), ['t0007']);
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

  it('scans an index in batches, in order of identifier, from where it was left', async () => {
    const { index } = await setUp(25);
    const batches = await Array.fromAsync(admin().scan(index.name, { batch: 10 }));
    assert.deepEqual(
      batches.map(({ length }) => length),
      [10, 10, 5],
    );
    assert.deepEqual(
      batches.flat().map(({ id }) => id),
      series(25).map(({ thing_id }) => thing_id),
    );
    const rest = await Array.fromAsync(admin().scan(index.name, { after: 't0019', batch: 3 }));
    assert.deepEqual(
      rest.flat().map(({ id }) => id),
      ['t0020', 't0021', 't0022', 't0023', 't0024'],
    );
    assert.deepEqual(await Array.fromAsync(admin().scan(index.name, { after: 'z' })), []);
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
  });
}

async function indexBehind(admin: IndexAdmin, alias: string): Promise<IndexInfo> {
  const indices = (await admin.list(`${admin.prefix}-*`)).filter(({ aliases }) =>
    aliases.some(({ name }) => name === alias),
  );
  assert.equal(indices.length, 1, `one index behind ${alias}`);
  const [index] = indices;
  if (index === undefined) throw new Error(`There is no index behind ${alias}.`);
  return index;
}

async function scanned(admin: IndexAdmin, index: string) {
  return (await Array.fromAsync(admin.scan(index, {}))).flat();
}

async function finished(admin: IndexAdmin, task: string): Promise<TaskStatus> {
  for (let round = 0; round < 400; round += 1) {
    const status = await admin.task(task);
    if (status.done) return status;
    await sleep(25);
  }
  throw new Error(`The task ${task} does not end.`);
}
