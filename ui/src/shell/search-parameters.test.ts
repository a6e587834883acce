import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choiceParameter,
  flagParameter,
  integerParameter,
  searchParameters,
  stringParameter,
  stringsParameter,
} from './search-parameters.ts';

const read = searchParameters({
  query: stringParameter(),
  rows: integerParameter({ min: 1, max: 100 }),
  theme: choiceParameter(['dark', 'light']),
  filters: stringsParameter(),
  isOpen: flagParameter(),
});

describe('searchParameters', () => {
  it('reads what makes sense', () => {
    assert.deepEqual(read({ query: 'a:b', rows: '100', theme: 'light', filters: ['x', 1], isOpen: 'true' }), {
      query: 'a:b',
      rows: 100,
      theme: 'light',
      filters: ['x', '1'],
      isOpen: true,
    });
    assert.deepEqual(read({ query: 12, rows: 1, filters: 'x' }), { query: '12', rows: 1, filters: ['x'] });
  });

  it('drops everything else', () => {
    assert.deepEqual(read({ query: {}, rows: 0, theme: 'blue', filters: [{}], isOpen: 'no', other: 1 }), {});
    assert.deepEqual(read({ query: ['a'], rows: 101, theme: ['light'], isOpen: 0 }), {});
    assert.deepEqual(read({ rows: 1.5 }), {});
  });
});
