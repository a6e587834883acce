import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { found, series } from '../things.ts';
import { fillIndex, finished, scanned } from './filled-index.ts';

export function copiesArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);
  const admin = () => opened.store.admin;
  const setUp = (count = 5) => fillIndex(opened.things(), admin(), count);

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
}
