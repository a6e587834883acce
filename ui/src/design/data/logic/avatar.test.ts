import assert from 'node:assert/strict';
import { it } from 'node:test';
import { avatarSource, initials } from './avatar.ts';

const ORIGIN = 'https://triad.example';

it('shows pictures of this origin alone', () => {
  assert.equal(avatarSource('/services/a.png', ORIGIN), 'https://triad.example/services/a.png');
  assert.equal(avatarSource('data:image/png;base64,AAAA', ORIGIN), 'data:image/png;base64,AAAA');
  const refused = [
    'https://gravatar.example/a.png',
    '//gravatar.example/a.png',
    '/\\gravatar.example/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml;base64,AAAA',
    'data:text/html,<script>',
    'a.png',
    '',
    null,
    `data:image/png;base64,${'A'.repeat(2_000_001)}`,
  ];
  for (const picture of refused) assert.equal(avatarSource(picture, ORIGIN), undefined, String(picture).slice(0, 40));
});

it('has initials for every name', () => {
  assert.equal(initials('marie.tremblay'), 'MT');
  assert.equal(initials('Jean-Paul Roy'), 'JR');
  assert.equal(initials('admin'), 'A');
  assert.equal(initials('bob@example.com'), 'B');
  assert.equal(initials('\u202e'), '?');
  assert.equal(initials(''), '?');
});
