import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mentionAt, typedSince, withMention } from './comment-draft.ts';

it('finds the mention before the cursor, and no e-mail address', () => {
  assert.deepEqual(mentionAt('Ask @an', 7), { start: 4, typed: 'an' });
  assert.deepEqual(mentionAt('@', 1), { start: 0, typed: '' });
  assert.equal(mentionAt('ana@example', 11), undefined);
  assert.equal(mentionAt('Ask @an today', 13), undefined);
});

it('completes a mention in the middle of text', () => {
  assert.deepEqual(withMention('Ask @an today', { start: 4, typed: 'an' }, 'ana'), {
    text: 'Ask @ana today',
    cursor: 9,
  });
});

it('keeps what was typed while a comment was sent', () => {
  assert.equal(typedSince('Seen.', 'Seen.'), '');
  assert.equal(typedSince('Seen.', 'Seen. Calling him.'), 'Calling him.');
  assert.equal(typedSince('Seen.', 'Not seen.'), 'Not seen.');
});
