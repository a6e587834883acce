import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fill, found, series, thingDefinition } from '../../conformance/things.ts';
import type { Datastore } from '../../port/datastore.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';

/** More than a search waits for when they have to be taken apart again. */
const DOCUMENTS = 25_000;

describe('a clone of many documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-clone-'));
  let store: Datastore | undefined;
  after(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('can be searched at once, and then goes its own way', { timeout: 120_000 }, async () => {
    const warnings: string[] = [];
    const logger = { ...SILENT, warn: (_details: object, message: string) => warnings.push(message) };
    store = await openEmbeddedDatastore({ folder, prefix: 'test', logger });
    const { admin } = store;
    const definition = thingDefinition({ name: 'thing' });
    const things = store.collection(definition);
    for (let first = 0; first < DOCUMENTS; first += 5_000) {
      const documents = series(first + 5_000, (at) => ({ port: at % 100, tags: at % 2 ? ['a', 'b'] : ['a'] }));
      await fill(things, documents.slice(first));
    }
    await things.update('t0003', [{ op: 'set', path: 'port', value: 4_711 }]);
    await things.delete('t0004');
    await admin.blockWrites('test-thing_hot');
    await admin.clone('test-thing_hot', 'test-thing-000001');
    await admin.switchAliases([
      { kind: 'remove', index: 'test-thing_hot', alias: 'test-thing' },
      { kind: 'add', index: 'test-thing-000001', alias: 'test-thing', writeIndex: true },
    ]);
    // Refused with `columns_rebuilding` while the columns are made from the documents.
    assert.deepEqual(await found(things, 'port:4711'), ['t0003']);
    assert.deepEqual(await found(things, 'thing_id:t0004'), []);
    assert.equal((await found(things, 'port:7')).length, DOCUMENTS / 100);
    await things.update('t0003', [{ op: 'set', path: 'port', value: 4_712 }]);
    await things.save('zzz', { thing_id: 'zzz', port: 4_712, tags: ['c'] });
    assert.deepEqual(await found(things, 'port:4712'), ['t0003', 'zzz']);
    assert.deepEqual(await found(things, 'port:4711'), []);
    assert.deepEqual(warnings, []);
  });
});
