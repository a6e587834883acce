import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_DOCUMENTS } from '../all-documents.ts';
import { hitDocument } from '../kinds/hit.ts';
import { userDocument } from '../kinds/user.ts';
import { fieldCatalogue } from './field-catalogue.ts';

type Fields = Record<string, Record<string, unknown>>;
interface Conversation {
  readonly steps: readonly {
    readonly request: { readonly path: string };
    readonly response: { readonly body: { readonly api_response: unknown } };
  }[];
}

function conversation(name: string): Conversation {
  return JSON.parse(readFileSync(new URL(`../../../test/golden/alerts/${name}.json`, import.meta.url), 'utf8'));
}

/** Compares with the recording, ignoring the order of values and descriptions. */
function assertRecorded(collection: string, recorded: Fields) {
  const definition = ALL_DOCUMENTS.find(({ name }) => name === collection);
  assert.ok(definition);
  const catalogue = fieldCatalogue(definition);
  for (const [path, expected] of Object.entries(recorded)) {
    const field = catalogue[path];
    assert.ok(field, `${collection} has ${path}`);
    const shown = { ...field, values: field.values && [...field.values].sort() };
    const values = (expected.values as string[] | null)?.sort() ?? null;
    const prose = { description: field.description, deprecated_description: field.deprecated_description };
    // Of mappings, the recordings do not say whether they are deprecated.
    assert.deepEqual(shown, { deprecated: false, ...expected, values, ...prose }, `${collection} ${path}`);
  }
}

describe('fieldCatalogue', () => {
  for (const { request, response } of conversation('search-fields').steps) {
    const collection = request.path.split('/').at(-1) ?? '';
    const answer = response.body.api_response as Fields;
    if ('success' in answer) continue;
    it(`has what was recorded of ${collection}`, () => {
      if (collection !== 'ALL') return assertRecorded(collection, answer);
      for (const [name, fields] of Object.entries(answer)) assertRecorded(name, fields as unknown as Fields);
    });
  }

  it('has what was recorded of the boot document', () => {
    for (const { response } of conversation('configs-boot-document').steps) {
      const { indexes } = response.body.api_response as { indexes: Record<string, Fields> };
      for (const [name, fields] of Object.entries(indexes)) assertRecorded(name, fields);
    }
  });

  it('shows no identifier and no hidden field', () => {
    const paths = Object.keys(fieldCatalogue(hitDocument));
    assert.deepEqual(
      paths,
      hitDocument.ownFields.map(({ path }) => path),
    );
    assert.deepEqual(
      paths.filter((path) => path === 'id' || path.startsWith('_')),
      [],
    );
  });

  it('says which mappings can be searched', () => {
    assert.equal(fieldCatalogue(hitDocument).labels?.type, 'keyword');
    assert.equal(fieldCatalogue(userDocument).apikeys?.type, 'object');
  });

  it('says what to use instead of a deprecated field', () => {
    const field = fieldCatalogue(hitDocument)['related.id'];
    assert.equal(field?.deprecated, true);
    assert.match(field?.deprecated_description ?? '', /related\.ids/);
  });
});
