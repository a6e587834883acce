import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflictingMembers } from './edit-conflict.ts';

describe('members that two people changed', () => {
  it('are those that are neither as they were seen nor as they are wanted', () => {
    const seen = { title: 'Old', query: 'a', keys: ['one'] };
    const change = { title: 'Mine', keys: ['one', 'two'] };
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, query: 'theirs' }), []);
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, title: 'Theirs' }), ['title']);
    assert.deepEqual(conflictingMembers(seen, change, { ...seen, title: 'Mine' }), []);
    assert.deepEqual(conflictingMembers(seen, change, { title: 'T', query: 'q', keys: [] }), ['title', 'keys']);
  });
});
