import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { ALL_DOCUMENTS } from './all-documents.ts';
import { jsonSchema } from './json-schema.ts';
import { hitDocument } from './kinds/hit.ts';
import type { DocumentDefinition } from './schema/document-definition.ts';
import { readDocument } from './schema/read-document.ts';

type Schema = { readonly [keyword: string]: unknown };

function* titledSchemas(value: unknown): Generator<Schema & { readonly title: string }> {
  if (typeof value !== 'object' || value === null) return;
  if ('title' in value && typeof value.title === 'string') yield value as Schema & { title: string };
  for (const inner of Object.values(value)) yield* titledSchemas(inner);
}

describe('jsonSchema', () => {
  const schemas = ALL_DOCUMENTS.map((definition) => jsonSchema(definition as DocumentDefinition<unknown>));

  it('gives every object a title that no other object has', () => {
    const byTitle = new Map<string, string>();
    for (const schema of titledSchemas(schemas)) {
      const text = JSON.stringify(schema);
      assert.equal(byTitle.get(schema.title) ?? text, text, schema.title);
      byTitle.set(schema.title, text);
    }
    for (const { title } of ALL_DOCUMENTS) assert.ok(byTitle.has(title), title);
  });

  it('fits what reading makes', () => {
    const classification = { unrestricted: 'U', normalise: (text: string) => text };
    const input = {
      'howler.analytic': 'a',
      'howler.hash': 'ab',
      'source.ip': '1.2.3.4',
      'file.size': '9007199254740991',
      labels: { a: 'b' },
      'howler.comment': [{ value: 'v', user: 'u', reactions: { u: 'x' } }],
    };
    const { document } = readDocument(hitDocument, input, { unknown: 'refuse', classification });
    const schema = jsonSchema(hitDocument);
    assert.deepEqual([...Value.Errors(schema, document)], []);
    assert.equal(Value.Check(schema, { ...document, howler: { ...document.howler, status: 'odd' } }), false);
  });

  it('is made once', () => {
    assert.equal(JSON.stringify(jsonSchema(hitDocument)), JSON.stringify(schemas[0]));
  });
});
