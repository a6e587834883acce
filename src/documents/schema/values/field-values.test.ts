import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from './field-values.ts';

describe('newId', () => {
  it('makes different identifiers of letters and digits', () => {
    const ids = Array.from({ length: 1000 }, newId);
    assert.equal(new Set(ids).size, 1000);
    for (const id of ids) assert.match(id, /^[0-9A-Za-z]{1,22}$/);
  });
});
