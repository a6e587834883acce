import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { keyword } from '../../documents/schema/field-builders.ts';
import { compareIndices } from './compare-indices.ts';

const thingDocument = defineDocument({
  name: 'thing',
  title: 'Thing',
  description: 'Documents of a test.',
  idField: 'thing_id',
  fields: { thing_id: keyword('Identifier.'), name: keyword('Name.') },
});
const COUNT = 2000;

it('compares documents all over the range of identifiers that begin alike', async (test) => {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  test.after(() => datastore.close());
  const documents = Array.from({ length: COUNT }, (_, number) => {
    const id = `sensor-${String(number).padStart(6, '0')}`;
    return { id, document: { thing_id: id, name: 'a' } };
  });
  await datastore.collection(thingDocument).createAll(documents, 'now');
  const [index] = await datastore.admin.list('test-thing*');
  const source = index?.name ?? '';
  const { signal } = new AbortController();
  const { compared } = await compareIndices(datastore.admin, { source, target: source, allowMissing: false, signal });
  assert.ok(compared > 100, `${compared} of ${COUNT}`);
});
