import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { Collection } from '../../port/collection.ts';
import { ABSENT, type Version } from '../../port/versions.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { EVERYTHING } from '../things.ts';

const CONFLICT = { kind: 'conflict', code: 'version_conflict' };
const EXISTS = { kind: 'conflict', code: 'already_exists' };

export function versionsArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('gives every write a version of its own, which a read then shows', async () => {
    const things = opened.things();
    const versions: Version[] = [];
    versions.push(await things.save('a', { thing_id: 'a', port: 1 }));
    assert.equal(await versionOf(things, 'a'), versions[0]);
    versions.push(await things.save('a', { thing_id: 'a', port: 1 }));
    versions.push((await things.update('a', [{ op: 'set', path: 'port', value: 2 }])).version);
    assert.equal(await versionOf(things, 'a'), versions[2]);
    await things.delete('a');
    versions.push(await things.save('a', { thing_id: 'a', port: 1 }));
    assert.equal(await versionOf(things, 'a'), versions[3]);
    assert.equal(new Set(versions).size, 4, versions.join(' '));
    for (const version of versions) assert.match(version, /^(?:.+---)?\d+---\d+$/);
  });

  it('shows with a document that was found the version that a read of it shows, or none', async () => {
    const things = opened.things();
    await things.bulk(
      ['a', 'b', 'c'].map((id) => ({ kind: 'save', id, document: { thing_id: id, port: 1 } })),
      { visible: 'now' },
    );
    const found = async () => {
      const { items } = await things.search({ query: { kind: 'all' } }, EVERYTHING);
      for (const { id, version, document } of items) {
        if (version !== undefined) assert.equal(version, await versionOf(things, id), id);
        assert.deepEqual(document, await things.get(id, EVERYTHING));
      }
      return items.length;
    };
    assert.equal(await found(), 3);
    await things.update('b', [{ op: 'set', path: 'port', value: 2 }], { visible: 'now' });
    await things.delete('c', { visible: 'now' });
    assert.equal(await found(), 2);
  });

  it('writes on the present version', async () => {
    const things = opened.things();
    const first = await things.save('a', { thing_id: 'a', port: 1 });
    const second = await things.save('a', { thing_id: 'a', port: 2 }, { ifVersion: first });
    const third = await things.update('a', [{ op: 'increment', path: 'port', by: 1 }], { ifVersion: second });
    assert.deepEqual(third.document, { thing_id: 'a', port: 3 });
    assert.equal(await things.delete('a', { ifVersion: third.version }), true);
    assert.equal(await things.get('a', EVERYTHING), undefined);
  });

  it('refuses a write on an earlier version and changes nothing', async () => {
    const things = opened.things();
    const stale = await things.save('a', { thing_id: 'a', port: 1 });
    const present = await things.save('a', { thing_id: 'a', port: 2 });
    const options = { ifVersion: stale };
    await assert.rejects(things.save('a', { thing_id: 'a', port: 3 }, options), CONFLICT);
    await assert.rejects(things.update('a', [{ op: 'set', path: 'port', value: 3 }], options), CONFLICT);
    await assert.rejects(things.delete('a', options), CONFLICT);
    assert.deepEqual(await things.getVersioned('a', EVERYTHING), {
      document: { thing_id: 'a', port: 2 },
      version: present,
    });
  });

  it('refuses to save on a version when the document is gone, or another was made in its place', async () => {
    const things = opened.things();
    const first = await things.save('a', { thing_id: 'a' });
    await things.delete('a');
    await assert.rejects(things.save('a', { thing_id: 'a' }, { ifVersion: first }), CONFLICT);
    assert.equal(await things.get('a', EVERYTHING), undefined);
    await things.save('a', { thing_id: 'a' });
    await assert.rejects(things.save('a', { thing_id: 'a' }, { ifVersion: first }), CONFLICT);
  });

  it('takes a version that no document can have for an outdated one, and carries out the rest of a bulk', async () => {
    const things = opened.things();
    const [, seq = '', term = ''] = /(\d+)---(\d+)$/.exec(await things.save('a', { thing_id: 'a', port: 1 })) ?? [];
    for (const impossible of [
      `${seq}---0`,
      `0${seq}---${term}`,
      `${'9'.repeat(19)}---${term}`,
      `${seq}---${'9'.repeat(19)}`,
    ]) {
      const options = { ifVersion: impossible };
      await assert.rejects(things.save('a', { thing_id: 'a', port: 2 }, options), CONFLICT, impossible);
      await assert.rejects(things.delete('a', options), CONFLICT, impossible);
      const results = await things.bulk([
        { kind: 'save', id: 'a', document: { thing_id: 'a', port: 2 }, ...options },
        { kind: 'save', id: 'b', document: { thing_id: 'b' } },
      ]);
      assert.deepEqual(
        results.map((result) => (result.ok ? 'ok' : result.code)),
        ['version_conflict', 'ok'],
        impossible,
      );
    }
    assert.equal((await things.get('a', EVERYTHING))?.port, 1);
  });

  it('creates only where there is none, on request', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', port: 1 }, { ifVersion: ABSENT });
    await assert.rejects(things.save('a', { thing_id: 'a', port: 2 }, { ifVersion: ABSENT }), EXISTS);
    assert.equal((await things.get('a', EVERYTHING))?.port, 1);
    await things.delete('a');
    await things.save('a', { thing_id: 'a', port: 3 }, { ifVersion: ABSENT });
    assert.equal((await things.get('a', EVERYTHING))?.port, 3);
  });

  it('checks the version of the document, not of its neighbours', async () => {
    const things = opened.things();
    const version = await things.save('a', { thing_id: 'a' });
    await things.save('b', { thing_id: 'b' });
    await things.save('a', { thing_id: 'a', port: 1 }, { ifVersion: version });
    await assert.rejects(things.save('b', { thing_id: 'b' }, { ifVersion: version }), CONFLICT);
  });

  it('rejects a string that is not a version', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a' });
    for (const ifVersion of ['', '1', 'x---y', '1---1---', '-1---1']) {
      await assert.rejects(things.save('a', { thing_id: 'a' }, { ifVersion }), { code: 'invalid_version' }, ifVersion);
    }
  });

  it('repeats the version of an unchanged document', async () => {
    const things = opened.things();
    const version = await things.save('a', { thing_id: 'a' });
    await things.save('b', { thing_id: 'b' });
    assert.equal(await versionOf(things, 'a'), version);
    assert.equal(await versionOf(things, 'a'), version);
  });
}

async function versionOf(things: Collection<StoredDocument>, id: string): Promise<Version | undefined> {
  return (await things.getVersioned(id, EVERYTHING))?.version;
}
