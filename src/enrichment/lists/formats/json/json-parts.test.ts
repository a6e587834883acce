import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ListProblem } from '../../list-entry.ts';
import { jsonParts } from './json-parts.ts';
import type { JsonPart, JsonShape } from './json-scanner.ts';
import { MAX_PART } from './part-bytes.ts';

const OBJECTS: JsonShape = { type: 'type', objects: { '[]': 'object', '}': 'end' } };

describe('jsonParts', () => {
  it('yields the parts that a shape names, wherever chunks end', async () => {
    const text =
      '\uFEFF {"objects" : [ {"a":[1,{"b":"]}\\"\\\\"}]}, "x", 12, null , []], "skipped":{"objects":[{"type":"no"}]},"type":"bundle"} ';
    const expected = [
      ...[{ a: [1, { b: ']}"\\' }] }, 'x', 12, null, []].map((value) => ({ name: 'object', value })),
      { name: 'end', value: undefined },
      { name: 'type', value: 'bundle' },
    ];
    for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(await partsOf(text, OBJECTS, { size }), expected);
  });

  it('reads any JSON as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), async (value, size) => {
        const text = JSON.stringify({ other: value, objects: [value, value], type: value });
        const parts = await partsOf(text, OBJECTS, { size });
        const read = JSON.parse(JSON.stringify(value));
        assert.deepEqual(
          parts.filter(({ name }) => name !== 'end').map((part) => part.value),
          [read, read, read],
        );
      }),
    );
  });

  it('reads values that follow each other, and a word at the end', async () => {
    assert.deepEqual(await partsOf('{"type":1}\n{"type":2}[{"type":3}]', { type: 'type' }), [
      { name: 'type', value: 1 },
      { name: 'type', value: 2 },
    ]);
    assert.deepEqual(await partsOf(' 12', 'all'), [{ name: 'all', value: 12 }]);
  });

  it('takes keys of prototypes and of its own shapes as data', async () => {
    const text = '{"__proto__":{"objects":[1]},"constructor":1,"[]":[2],"}":3,"objects":[{"__proto__":{"x":1}}]}';
    const [part, end] = await partsOf(text, OBJECTS);
    assert.deepEqual(Object.keys((part as { value: object }).value), ['__proto__']);
    assert.equal(end?.name, 'end');
    assert.equal(Reflect.get({}, 'x'), undefined);
  });

  it('skips a part above 1 MB and says so, and takes one below', async () => {
    let tooLarge = 0;
    const part = JSON.stringify('x'.repeat(MAX_PART - 2));
    const parts = await partsOf(`{"objects":[${part},"x${part.slice(1)},1]}`, OBJECTS, {
      size: 65_536,
      onTooLarge: () => {
        tooLarge += 1;
      },
    });
    assert.deepEqual(
      parts.map(({ value }) => (typeof value === 'string' ? value.length : value)),
      [MAX_PART - 2, 1, undefined],
    );
    assert.equal(tooLarge, 1);
  });

  it('names the place of what is not JSON', async () => {
    for (const [text, message] of [
      ['', 'list.json: it is empty.'],
      [' \n', 'list.json: it is empty.'],
      ['<html>', 'list.json, byte 1: it is not JSON: a value is missing.'],
      ['{"objects":[1 2]}', 'list.json, byte 15: it is not JSON: a comma or a closing bracket is missing.'],
      ['{"objects":[1}', 'list.json, byte 14: it is not JSON: a comma or a closing bracket is missing.'],
      ['{"objects" [1]}', 'list.json, byte 12: it is not JSON: a colon is missing.'],
      ['{objects:1}', 'list.json, byte 2: it is not JSON: a key in quotes is missing.'],
      ['{"a":1,}', 'list.json, byte 8: it is not JSON: a key in quotes is missing.'],
      ['[1,]', 'list.json, byte 4: it is not JSON: a value is missing.'],
      ['{"objects":[tru]}', 'list.json: it has a part that is not JSON, before byte 16.'],
      ['{"objects":[1', 'list.json: it ends in the middle, after 13 bytes.'],
      ['{"objects":["1', 'list.json: it ends in the middle, after 14 bytes.'],
      ['{"objects":[]}}', 'list.json, byte 15: it is not JSON: a value is missing.'],
      ['['.repeat(101), 'list.json, byte 101: it is not JSON: it is nested more than 100 levels deep.'],
    ] as const) {
      await assert.rejects(
        partsOf(text, OBJECTS),
        (error) => error instanceof ListProblem && error.message === message,
        text,
      );
    }
    await assert.doesNotReject(partsOf(`${'['.repeat(100)}${']'.repeat(100)}`, OBJECTS));
    await assert.rejects(
      partsOf(Buffer.from('{"objects":["\xff"]}', 'latin1'), OBJECTS),
      /is not valid UTF-8, before byte 16/,
    );
  });
});

async function partsOf(
  content: string | Buffer,
  shape: JsonShape,
  { size = 1000, onTooLarge = assert.fail }: { readonly size?: number; readonly onTooLarge?: () => void } = {},
): Promise<Omit<JsonPart, 'bytes'>[]> {
  const bytes = Buffer.from(content);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const found: Omit<JsonPart, 'bytes'>[] = [];
  const document = { place: 'list.json', bytes: chunks() };
  for await (const parts of jsonParts(document, shape, { signal: new AbortController().signal, onTooLarge })) {
    found.push(...parts.map(({ name, value }) => ({ name, value })));
  }
  return found;
}
