import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineDocument } from './document-definition.ts';
import { group, integer, keyword } from './field-builders.ts';
import { wholeOutput } from './whole-output.ts';

const part = group('Part', 'A part.', { name: keyword('Name.'), size: integer('Size.').optional() });
const sample = defineDocument({
  name: 'sample',
  title: 'Sample',
  description: 'For this test.',
  fields: {
    count: integer('Count.').default(0),
    owner: keyword('Owner.').optional(),
    names: keyword('Names.').list().default([]),
    parts: part.list().default([]),
    first: part.optional(),
  },
});

describe('wholeOutput', () => {
  it('answers every field of the definition, with null for what is absent, also inside of objects', () => {
    assert.deepEqual(wholeOutput(sample, {} as typeof sample.Type), {
      count: 0,
      owner: null,
      names: [],
      parts: [],
      first: null,
    });
    const stored = { count: 1, names: ['a'], parts: [{ name: 'x' }], first: { name: 'y', size: 2 }, stray: 1 };
    assert.deepEqual(wholeOutput(sample, stored), {
      count: 1,
      owner: null,
      names: ['a'],
      parts: [{ name: 'x', size: null }],
      first: { name: 'y', size: 2 },
    });
  });
});
