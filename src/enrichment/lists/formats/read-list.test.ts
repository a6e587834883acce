import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LIST_FORMATS } from '../../../config/list-settings.ts';
import { readListText } from '../../../testing/enrichment/read-list-text.ts';
import { ListProblem } from '../list-entry.ts';

const indicator = `{"type":"indicator","id":"i","pattern":"[url:value = 'http://a.example/']","created_by_ref":"x"}`;
const attribute = '{"type":"domain|ip","value":"a.example|198.51.100.7","to_ids":true,"Tag":[{"name":"tlp:red"}]}';
const SAMPLES: Readonly<Record<string, string>> = {
  text: '# list\n198.51.100.7\n0.0.0.0 a.example\n||b.example^\nhxxp://c[.]example/\n',
  csv: '# "value","type","tags"\n"a.example","domain","x,y"\n"b\n""c","url",\n',
  ndjson: '{"type":"domain","value":"a.example","tags":["x"],"confidence":50}\n"198.51.100.7"\n',
  stix: `{"type":"bundle","objects":[${indicator},{"type":"identity","id":"x","name":"CERT"}]}`,
  taxii: `{"more":false,"objects":[${indicator}]}`,
  misp_event: `{"Event":{"Attribute":[${attribute}],"Tag":[{"name":"x"}],"info":"i","Orgc":{"name":"o"},"date":"2024-01-01"}}`,
  misp_feed: `{"Event":{"Object":[{"Attribute":[${attribute}],"deleted":false}],"info":"i"}}`,
  misp_warninglist: '{"list":["a.example",".b.example"],"type":"hostname","name":"n","matching_attributes":["domain"]}',
  hashes: `"SHA-1","MD5"\n"${'a'.repeat(40)}","${'1'.repeat(32)}"\n{"MD5":"${'2'.repeat(32)}"}\n`,
};
const MUTATIONS = [
  '',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\0',
  '\\',
  'null',
  '1e999',
  '[[[[',
  '"__proto__":',
  'é',
  '\ud800',
];

describe('readList', () => {
  for (const format of LIST_FORMATS) {
    const sample = SAMPLES[format] ?? '';

    it(`reads ${format}, and rejects damaged content as a problem of the list alone`, async () => {
      assert.ok((await readListText({ format }, sample)).entries.length > 0);
      const damage = fc.tuple(
        fc.nat(sample.length),
        fc.nat(8),
        fc.constantFrom(...MUTATIONS),
        fc.integer({ min: 1, max: 200 }),
      );
      await fc.assert(
        fc.asyncProperty(damage, async ([place, removed, added, size]) => {
          const content = sample.slice(0, place) + added + sample.slice(place + removed);
          await readOrReject(format, Buffer.from(content), size);
        }),
        { numRuns: 300 },
      );
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (content) => readOrReject(format, content, 50)),
        { numRuns: 50 },
      );
    });
  }

  it('never takes half a document of JSON for a whole one', async () => {
    for (const format of ['stix', 'taxii', 'misp_event', 'misp_feed', 'misp_warninglist'] as const) {
      const sample = SAMPLES[format] ?? '';
      for (let length = 0; length < sample.length; length += 1) {
        await assert.rejects(readListText({ format }, sample.slice(0, length)), { name: 'ListProblem' });
      }
    }
  });
});

async function readOrReject(format: (typeof LIST_FORMATS)[number], content: Uint8Array, size: number): Promise<void> {
  try {
    const { entries } = await readListText({ format }, content, size);
    for (const { value } of entries) assert.ok(value.length > 0 && value.length <= 4096);
  } catch (error) {
    assert.ok(error instanceof ListProblem, String(error));
    assert.match(error.message, /^list[^\n]{0,400}: [^\n]+\.$/);
  }
}
