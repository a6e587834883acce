import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflictingMembers, isEquivalent } from './edit-conflict.ts';

describe('members that two people changed', () => {
  it('are those that are neither as they were seen nor as they are wanted', () => {
    const seen = { title: 'Old', query: 'a', keys: ['one'] };
    const change = { title: 'Mine', keys: ['one', 'two'] };
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, query: 'theirs' }), []);
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, title: 'Theirs' }), ['title']);
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, title: 'Mine' }), []);
    assert.deepEqual(conflictingMembers(seen, change, { title: 'T', query: 'q', keys: [] }), ['title', 'keys']);
  });

  it('are compared without what services leave out, at any depth', () => {
    assert.ok(isEquivalent([{ value: 'a', mappings: [] }], [{ value: 'a' }]));
    assert.ok(isEquivalent({ group: '' }, null));
    assert.ok(isEquivalent({ b: 1, a: [2] }, { a: [2], b: 1 }));
    assert.ok(!isEquivalent(['a', 'b'], ['b', 'a']));
    assert.ok(!isEquivalent(false, null));
    assert.ok(!isEquivalent(0, ''));
  });
});
