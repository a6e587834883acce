import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../kinds/hit.ts';
import type { DocumentDefinition } from './document-definition.ts';
import { flatten, flattenDeep } from './flatten.ts';

describe('flatten', () => {
  it('makes paths of nested keys and leaves lists alone', () => {
    assert.deepEqual(flatten({ a: { b: 1, c: [{ d: 2 }] }, 'e.f': { g: null }, h: {} }), {
      'a.b': 1,
      'a.c': [{ d: 2 }],
      'e.f.g': null,
    });
  });
  it('keeps mappings and unknown objects whole when it has the definition', () => {
    const definition = hitDocument as DocumentDefinition<unknown>;
    assert.deepEqual(
      flatten(
        { labels: { a: 'b' }, foo: { bar: 1 }, source: { geo: { name: 'x' } }, 'howler.outline': { threat: 't' } },
        definition,
      ),
      {
        labels: { a: 'b' },
        foo: { bar: 1 },
        'source.geo.name': 'x',
        'howler.outline.threat': 't',
      },
    );
  });
});

describe('flattenDeep', () => {
  it('goes into the objects of lists', () => {
    assert.deepEqual(
      [...flattenDeep({ a: [{ b: 1 }, { b: 2 }, 3], c: [4], d: {} })],
      [
        ['a.b', 1],
        ['a.b', 2],
        ['a', 3],
        ['c', [4]],
      ],
    );
  });
});
