import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { everyDocument, tableOf } from '../../../testing/copied-columns.ts';
import { SEARCHABLE } from '../../../testing/searchable-kind.ts';
import type { BulkItem } from '../../port/collection.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';
import { COLUMN_FILE } from './column-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-deletions-'));
after(() => rmSync(folder, { recursive: true, force: true }));

it('applies more deletions than one transaction takes, and the writes around them, as a rebuild does', async () => {
  const ids = Array.from({ length: 12_000 }, (_, number) => `d${number}`);
  const remove = (id: string) => ({ kind: 'delete', id }) as const;
  const save = (id: string) => ({ kind: 'save', id, document: { status: 'open', message: id } }) as const;
  const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
  const things = store.collection(SEARCHABLE);
  await things.bulk(ids.map(save));
  assert.equal(await everyDocument(store, SEARCHABLE), 12_000);
  const writes: BulkItem<StoredDocument>[] = [
    ...ids.slice(0, 10_000).map(remove),
    ...ids.slice(9900, 10_100).map(save),
    ...ids.slice(10_050, 11_500).map(remove),
  ];
  await things.bulk(writes);
  assert.equal(await everyDocument(store, SEARCHABLE), 650);
  const query = { kind: 'term', field: 'status', value: 'open' } as const;
  assert.equal(await everyDocument(store, SEARCHABLE, query), 650);
  await store.close();
  const columns = await tableOf(folder, 'test-searchable_hot');
  assert.equal(columns.length, 650);
  rmSync(join(folder, COLUMN_FILE));
  const again = await openEmbeddedDatastore({ folder, prefix: 'test' });
  assert.equal(await everyDocument(again, SEARCHABLE), 650);
  await again.close();
  assert.deepEqual(columns, await tableOf(folder, 'test-searchable_hot'));
});
