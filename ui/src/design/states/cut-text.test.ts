import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutText } from './cut-text.ts';

describe('cutText', () => {
  it('keeps what fits', () => {
    assert.equal(cutText('abc', 3), 'abc');
  });

  it('cuts what is longer, with an ellipsis', () => {
    assert.equal(cutText('abcd', 3), 'ab…');
    assert.equal(cutText('a'.repeat(5_000_000), 1000).length, 1000);
  });

  it('leaves no half of a surrogate pair', () => {
    for (const most of [2, 3, 4, 5, 6]) {
      assert.ok(cutText('a😀😀😀', most).isWellFormed(), String(most));
      assert.ok(cutText('😀😀😀😀', most).isWellFormed(), String(most));
    }
  });
});
