import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choiceParameter, searchParameters, stringParameter, stringsParameter } from './search-parameters.ts';

const read = searchParameters({
  query: stringParameter(),
  theme: choiceParameter(['dark', 'light']),
  filters: stringsParameter(),
});

describe('searchParameters', () => {
  it('reads what makes sense', () => {
    assert.deepEqual(read({ query: 'a:b', theme: 'light', filters: ['x', 1] }), {
      query: 'a:b',
      theme: 'light',
      filters: ['x', '1'],
    });
    assert.deepEqual(read({ query: 12, filters: 'x' }), { query: '12', filters: ['x'] });
  });

  it('drops everything else', () => {
    assert.deepEqual(read({ query: {}, theme: 'blue', filters: [{}], other: 1 }), {});
    assert.deepEqual(read({ query: ['a'], theme: ['light'] }), {});
  });
});
