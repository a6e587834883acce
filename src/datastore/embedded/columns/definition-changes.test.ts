import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { CollectionDefinition, StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { defineDocument } from '../../../documents/schema/document-definition.ts';
import {
  caseInsensitiveKeyword,
  type FieldRecord,
  integer,
  keyword,
} from '../../../documents/schema/field-builders.ts';
import { unrestricted } from '../../port/read-access.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import { openEmbeddedDatastore } from '../embedded-datastore.ts';

const EVERYTHING = unrestricted('a test reads its own documents');

describe('a folder whose documents are defined otherwise than before', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'triad-definitions-'));
    folders.push(folder);
    return folder;
  };

  it('makes the columns again when a field is indexed otherwise', async () => {
    const folder = newFolder();
    const before = define({ name: keyword('Name.') });
    const now = define({ name: caseInsensitiveKeyword('Name.') });
    await fill(folder, before, { one: { name: 'Fox' } });
    assert.deepEqual(await found(folder, before, 'name:fox'), []);
    assert.deepEqual(await found(folder, now, 'name:fox'), ['one']);
    assert.deepEqual(await found(folder, before, 'name:Fox'), ['one']);
  });

  it('finds in new fields what is written from now on, and everything else as before', async () => {
    const folder = newFolder();
    const before = define({ name: keyword('Name.') });
    const now = define({ name: keyword('Name.'), port: integer('Port.').optional() });
    await fill(folder, before, { one: { name: 'fox' } });
    assert.deepEqual(await found(folder, before, 'name:fox'), ['one']);
    await fill(folder, now, { two: { name: 'fox', port: 443 } });
    assert.deepEqual(await found(folder, now, 'port:443'), ['two']);
    assert.deepEqual(await found(folder, now, 'name:fox'), ['one', 'two']);
  });
});

function define(fields: FieldRecord): CollectionDefinition<StoredDocument> {
  const options = { name: 'thing', title: 'Thing', description: 'Documents of a test.', defaultSort: [] };
  return defineDocument({ ...options, fields }) as unknown as CollectionDefinition<StoredDocument>;
}

async function fill(
  folder: string,
  definition: CollectionDefinition<StoredDocument>,
  documents: Readonly<Record<string, StoredDocument>>,
): Promise<void> {
  const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
  for (const [id, document] of Object.entries(documents)) await store.collection(definition).save(id, document);
  await store.close();
}

async function found(
  folder: string,
  definition: CollectionDefinition<StoredDocument>,
  text: string,
): Promise<string[]> {
  const store = await openEmbeddedDatastore({ folder, prefix: 'test' });
  const query = compileQuery(text, definition);
  const { items } = await store
    .collection(definition)
    .search({ query, sort: [{ field: 'id', order: 'asc' }] }, EVERYTHING);
  await store.close();
  return items.map(({ id }) => id);
}
