import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { installationDocument } from '../../documents/kinds/installation.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { SystemValues } from '../system/system-values.ts';
import { SafelistLookup } from './safelist-lookup.ts';

describe('SafelistLookup', () => {
  it('knows enabled entries and the rules of administrators, at most five seconds old', async (context) => {
    const { lookup, values, list, clock } = await setUp(context);
    assert.equal(await lookup.isSafeTag('network.static.domain', 'mine.example'), false);
    assert.equal(await lookup.isSafeTag('network.static.ip', '10.0.0.1'), true, 'the rules of the program');
    await list({ type: 'tag', tag: { type: 'network.static.domain', value: 'mine.example' } });
    await list({ type: 'signature', signature: { name: 'good' } });
    await list({ type: 'signature', signature: { name: 'off' }, enabled: false });
    await values.set('tag_safelist', 'regex: {av.virus_name: [Eicar]}');
    clock.now += 5000;
    const view = await lookup.view();
    assert.equal(view.isSafeTag('network.static.domain', 'mine.example'), true);
    assert.equal(view.isSafeTag('av.virus_name', 'Eicar-Test'), true);
    assert.equal(view.isSafeTag('network.static.ip', '10.0.0.1'), false, 'the rules replace those of the program');
    assert.deepEqual([view.isSafeSignature('good'), view.isSafeSignature('off')], [true, false]);
    assert.deepEqual([...(await lookup.safeSignatures())], ['good']);
  });

  it('shows rules and entries by type of tag', async (context) => {
    const { lookup, values, list } = await setUp(context);
    await values.set('tag_safelist', 'match: {av.virus_name: [x]}\nregex: {file.behavior: [y]}');
    await list({ type: 'tag', tag: { type: 'av.virus_name', value: 'z' } });
    assert.deepEqual(await lookup.tagSafelist(), {
      match: { 'av.virus_name': ['x', 'z'] },
      regex: { 'file.behavior': ['y'] },
    });
    assert.deepEqual(await lookup.tagSafelist(['file.behavior']), { match: {}, regex: { 'file.behavior': ['y'] } });
  });
});

async function setUp(context: TestContext) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'lookup' });
  context.after(() => datastore.close());
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const safelist = datastore.collection(safelistDocument);
  const values = new SystemValues({ facts: datastore.collection(installationDocument), now });
  const classification = loadClassification();
  const ids = ['one', 'two', 'three'];
  return {
    clock,
    values,
    lookup: new SafelistLookup({ safelist, values, now }),
    async list(entry: object) {
      const { document } = readDocument(
        safelistDocument,
        { sources: [], ...entry },
        { unknown: 'refuse', classification },
      );
      await safelist.save(ids.shift() ?? '', document, { visible: 'now' });
    },
  };
}
