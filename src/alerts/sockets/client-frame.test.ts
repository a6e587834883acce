import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readClientFrame } from './client-frame.ts';

const frame = { id: 'a', action: 'viewing', broadcast: true };

describe('a message of a client', () => {
  it('has a record, an action and whether it is broadcast; other members are left out', () => {
    assert.deepEqual(readClientFrame(JSON.stringify({ ...frame, pad: 'x'.repeat(60_000) })), frame);
    const longest = { id: 'é'.repeat(512), action: 'a'.repeat(64), broadcast: false };
    assert.deepEqual(readClientFrame(JSON.stringify(longest)), longest);
  });

  const wrong: Readonly<Record<string, string>> = {
    'no JSON': 'viewing',
    'half of JSON': '{"id":"a","action":"viewing","broadcast":tru',
    'more than JSON': `${JSON.stringify(frame)}x`,
    'a list': '["id","action","broadcast"]',
    null: 'null',
    'no record': JSON.stringify({ ...frame, id: undefined }),
    'no action': JSON.stringify({ ...frame, action: undefined }),
    'no broadcast': JSON.stringify({ ...frame, broadcast: undefined }),
    'an empty identifier': JSON.stringify({ ...frame, id: '' }),
    'a long identifier': JSON.stringify({ ...frame, id: 'x'.repeat(513) }),
    'an identifier that is an object': JSON.stringify({ ...frame, id: { a: 1 } }),
    'an identifier with NUL': JSON.stringify({ ...frame, id: '\0' }),
    'an identifier with half a character': '{"id":"\\ud800","action":"viewing","broadcast":true}',
    'a long action': JSON.stringify({ ...frame, action: 'x'.repeat(65) }),
    'an action with markup': JSON.stringify({ ...frame, action: '<b>' }),
    'broadcast as a string': JSON.stringify({ ...frame, broadcast: 'true' }),
    'deep nesting': `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  };
  for (const [name, text] of Object.entries(wrong)) {
    it(`is refused with ${name}`, () => {
      assert.throws(() => readClientFrame(text), { code: 'invalid_frame', message: 'Sent data is invalid.' });
    });
  }
});
