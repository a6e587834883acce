import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nestingExceeds } from './plain-objects.ts';

describe('nestingExceeds', () => {
  it('counts objects and lists inside each other', () => {
    assert.equal(nestingExceeds([[{}]], 2), false);
    assert.equal(nestingExceeds([[{}]], 1), true);
    assert.equal(nestingExceeds('x', 0), false);
  });
});
