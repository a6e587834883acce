import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { FieldTypeName, FlatField } from '../../../documents/schema/field-types.ts';
import { flatField } from '../../../documents/schema/field-types.ts';
import { copyAll, everyDocument, tableOf } from '../../../testing/copied-columns.ts';
import type { Datastore } from '../../port/datastore.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';
import { COLUMN_FILE } from './column-database.ts';

describe('columns of copied documents', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'triad-copied-'));
    folders.push(folder);
    return folder;
  };

  it('are those that a rebuild makes, also of what was written to source and copy meanwhile', async () => {
    const folder = newFolder();
    const before = define('before', [field('name', 'keyword'), field('size', 'integer'), field('tags', 'keyword')]);
    const next = define('next', [field('name', 'text'), field('size', 'long'), field('tags', 'keyword')]);
    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    const [source, target] = [store.collection(before), store.collection(next)];
    const ids = Array.from({ length: 2500 }, (_, at) => `d${at}`);
    await source.bulk(
      ids.map((id, at) => ({ kind: 'save', id, document: { name: `The ${id}`, size: at * 3_000_000 } })),
    );
    const copied = copyAll(store, before, next);
    await source.save('d1', { name: 'changed in the source' });
    await copied;
    await target.save('d2', { name: 'changed in the copy', tags: ['a', 'a', 'b'] });
    await target.delete('d3');
    await target.save('new', { name: 'new' });
    assert.equal(await everyDocument(store, next), ids.length);
    assert.equal(await count(store, next, 'name', 'copy'), 1);
    assert.equal(await count(store, next, 'size', 4n * 3_000_000n), 1);
    await store.close();
    const columns = await tableOf(folder, 'test-next_hot');
    rmSync(join(folder, COLUMN_FILE));
    const again = await openEmbeddedDatastore({ folder, prefix: 'test' });
    assert.equal(await everyDocument(again, next), ids.length);
    await again.close();
    assert.deepEqual(columns, await tableOf(folder, 'test-next_hot'));
  });

  it('have the values of fields that came after the first documents, as an engine that indexes them again', async () => {
    const folder = newFolder();
    const before = define('before', [field('name', 'keyword')]);
    const later = define('before', [field('name', 'keyword'), field('port', 'integer')]);
    const next = { ...later, name: 'next' };
    const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
    await store.collection(before).save('one', { name: 'one', port: 443 });
    await everyDocument(store, before);
    await store.admin.addFields('test-before_hot', later);
    await store.collection(later).save('two', { name: 'two', port: 443 });
    assert.equal(await count(store, later, 'port', 443), 1);
    await copyAll(store, later, next);
    assert.equal(await count(store, next, 'port', 443), 2);
    await store.close();
  });
});

function field(path: string, type: FieldTypeName): FlatField {
  return flatField(path, type, { multiValued: false, indexed: true, copyToText: false, list: false });
}

function define(name: string, fields: readonly FlatField[]): CollectionDefinition<StoredDocument> {
  return {
    name,
    idField: undefined,
    fields,
    fieldByPath: new Map(fields.map((flat) => [flat.path, flat])),
    defaultSort: [],
    classificationField: undefined,
  };
}

async function count(
  store: Datastore,
  definition: CollectionDefinition<StoredDocument>,
  path: string,
  sought: string | number | bigint,
): Promise<number> {
  return everyDocument(store, definition, { kind: 'term', field: path, value: sought });
}
