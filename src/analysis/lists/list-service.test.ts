import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { SAFELIST_TYPES, safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { readAccessFor } from '../../identity/accounts/read-access.ts';
import type { ServiceRole } from '../../identity/actor.ts';
import { BRANCHES } from '../../testing/branches-classification.ts';
import { ListService } from './list-service.ts';
import { digestOf, listedTagValue } from './listed-values.ts';

const HASH = 'ab'.repeat(32);
const NOW = new Date('2026-01-02T03:04:05Z');

describe('ListService', () => {
  it('merges sources, reasons, hashes and names, and keeps when something was listed first', async (context) => {
    const { list, ada, root, stored } = await setUp(context);
    const file = { name: ['a.exe'], size: 1 };
    assert.equal((await list.add(ada, entry([own('ada', 'one')], { file }))).operation, 'add');
    const more = { file: { name: ['b.exe'] }, hashes: { sha256: HASH, md5: 'cd'.repeat(16) } };
    assert.equal((await list.add(ada, entry([own('ada', 'two')], more))).operation, 'update');
    await list.add(root, entry([{ ...own('NSRL', 'known'), type: 'external' }]));
    const { sources, file: listed, hashes } = await stored();
    assert.deepEqual(
      sources.map(({ name, reason }) => [name, reason]),
      [
        ['ada', ['one', 'two']],
        ['NSRL', ['known']],
      ],
    );
    assert.deepEqual(listed, { name: ['a.exe', 'b.exe'], size: 1 });
    assert.equal(hashes.md5, 'cd'.repeat(16));
  });

  it('takes own sources of users, and external ones of those who import signatures', async (context) => {
    const { list, ada, root } = await setUp(context);
    const external = { ...own('NSRL', 'known'), type: 'external' };
    await assert.rejects(list.add(ada, entry([own('eve', 'x')])), { code: 'list_source_of_other' });
    await assert.rejects(list.add(ada, entry([external])), { code: 'external_source_refused' });
    await assert.rejects(list.addMany(ada, [entry([external])]), { code: 'external_source_refused' });
    assert.equal((await list.add(root, entry([external]))).operation, 'add');
  });

  it('refuses what cannot be listed, and stores nothing of a list with one such entry', async (context) => {
    const { list, ada, stored } = await setUp(context);
    const refused: readonly (readonly [unknown, string])[] = [
      ['text', 'invalid_list_entry'],
      [{}, 'list_hash_missing'],
      [{ type: 'file', hashes: {} }, 'list_hash_missing'],
      [{ type: 'tag', tag: { type: 'a' } }, 'list_value_missing'],
      [{ type: 'signature' }, 'list_value_missing'],
      [entry([], { hashes: { sha256: 'xyz' } }), 'invalid_list_entry'],
      [entry([own('ada', 'x')], { type: 'nope' }), 'invalid_list_entry'],
      [entry([own('ada', 'x')], { dtl: -1 }), 'invalid_list_entry'],
      [{ type: 'file', hashes: { sha256: HASH } }, 'invalid_list_entry'],
    ];
    for (const [input, code] of refused) {
      await assert.rejects(list.add(ada, input), { code }, JSON.stringify(input));
      await assert.rejects(list.addMany(ada, [entry([own('ada', 'x')]), input]), { code }, JSON.stringify(input));
    }
    await assert.rejects(stored());
  });

  it('classifies an entry as the highest of its sources, and hides it from others', async (context) => {
    const { list, ada, root, low, stored } = await setUp(context);
    await list.add(root, entry([{ ...own('root', 'x'), classification: 'L2' }]));
    assert.equal(await list.get(HASH, low.searchAccess), undefined);
    assert.ok(await list.get(HASH, root.searchAccess));
    assert.equal(await list.setEnabled(low, HASH, false), false);
    assert.equal(await list.delete(low, HASH), false);
    // Who may not see it adds to it, and learns and lowers nothing.
    assert.equal((await list.add(low, entry([{ ...own('low', 'y'), classification: 'L0' }]))).operation, 'update');
    assert.equal((await stored()).classification, 'LEVEL 2');
    const source = { source: 'root', type: 'user' };
    await list.classifySource(root, HASH, source, 'L1');
    assert.equal((await stored()).classification, 'LEVEL 1');
    await assert.rejects(list.classifySource(ada, HASH, source, 'L0'), { code: 'list_source_refused' });
    await assert.rejects(list.classifySource(low, HASH, { source: 'low', type: 'user' }, 'L2'), {
      code: 'classification_refused',
    });
  });

  it('strips what a user listed, and deletes the entry with its last source', async (context) => {
    const { list, ada, root, stored } = await setUp(context);
    await list.add(ada, entry([own('ada', 'x')]));
    await list.add(root, entry([own('root', 'x')]));
    assert.equal(await list.delete(ada, HASH), true);
    assert.deepEqual(
      (await stored()).sources.map(({ name }) => name),
      ['root'],
    );
    await assert.rejects(list.removeSource(root, HASH, { source: 'root', type: 'user' }), { code: 'last_list_source' });
    assert.equal(await list.delete(root, HASH), true);
    await assert.rejects(stored());
    assert.deepEqual([await list.delete(root, HASH), await list.delete(ada, HASH)], [true, false]);
  });

  it('keeps an entry as long as its sender says, else tags as long as the setting', async (context) => {
    const { list, ada, root, stored } = await setUp(context);
    await list.add(ada, entry([own('ada', 'x')], { dtl: 2 }));
    assert.equal((await stored()).expiry_ts, '2026-01-04T03:04:05.000000Z');
    await list.setExpiry(ada, HASH, undefined);
    assert.equal((await stored()).expiry_ts, undefined);
    const tag = { type: 'network.static.domain', value: 'Evil.Example' };
    const { id } = await list.add(ada, { type: 'tag', tag, sources: [own('ada', 'x')] });
    assert.equal(id, digestOf(tag.type, 'evil.example'));
    assert.equal((await list.get(id, root.searchAccess))?.expiry_ts, '2026-01-12T03:04:05.000000Z');
  });

  it('loses no source when many add theirs at the same time', async (context) => {
    const { list, userNamed, stored } = await setUp(context);
    const names = Array.from({ length: 10 }, (_, index) => `user${index}`);
    await Promise.all(names.map((name) => list.add(userNamed(name), entry([own(name, 'x')]))));
    assert.deepEqual((await stored()).sources.map(({ name }) => name).sort(), names);
  });
});

describe('listedTagValue', () => {
  it('lowers domains and the hosts of URIs alone', () => {
    assert.equal(listedTagValue('network.static.domain', 'A.Example'), 'a.example');
    assert.equal(
      listedTagValue('network.dynamic.uri', 'HTTP://User@A.Example:80/Path'),
      'http://User@a.example:80/Path',
    );
    assert.equal(listedTagValue('file.behavior', 'A.Example'), 'A.Example');
  });
});

function own(name: string, reason: string) {
  return { classification: 'L0', name, reason: [reason], type: 'user' };
}

function entry(sources: readonly object[], more: object = {}) {
  return { type: 'file', hashes: { sha256: HASH }, sources, ...more };
}

/** The list on the embedded datastore in memory, with an enforced classification. */
async function setUp(context: TestContext) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'lists' });
  context.after(() => datastore.close());
  const classification = loadClassification(BRANCHES);
  const entries = datastore.collection(safelistDocument);
  const kind = {
    name: 'safelist',
    word: 'Safe',
    definition: safelistDocument,
    types: SAFELIST_TYPES,
    hashes: ['sha256', 'sha1', 'md5'],
    daysToLive: 10,
  } as const;
  const list = new ListService({ entries, kind, classification, now: () => NOW });
  const userWith = (username: string, clearance: string, roles: readonly ServiceRole[]) => ({
    username,
    classification: clearance,
    roles: new Set<ServiceRole>(roles),
    searchAccess: readAccessFor(classification, clearance, undefined),
  });
  const stored = async () => {
    const found = await entries.get(HASH, unrestricted('the test looks at what is stored'));
    assert.ok(found !== undefined);
    return found;
  };
  return {
    list,
    stored,
    ada: userWith('ada', 'L2', ['safelist_manage']),
    low: userWith('low', 'L0', ['safelist_manage']),
    root: userWith('root', 'L2', ['safelist_manage', 'signature_import', 'administration', 'signature_manage']),
    userNamed: (name: string) => userWith(name, 'L2', ['safelist_manage']),
  };
}
