import assert from 'node:assert/strict';
import { it } from 'node:test';
import { avatarSource, initials } from './avatar-source.ts';

const ORIGIN = 'https://triad.example';

it('shows pictures of this origin alone', () => {
  const own = '/services/alerts/api/v1/user/avatar/ana';
  assert.equal(avatarSource(own, ORIGIN), own);
  assert.equal(avatarSource(`${ORIGIN}${own}`, ORIGIN), own);
  assert.equal(avatarSource(`blob:${ORIGIN}/1`, ORIGIN), `blob:${ORIGIN}/1`);
  assert.equal(avatarSource('data:image/png;base64,AAAA', ORIGIN), 'data:image/png;base64,AAAA');
  const refused = [
    'https://gravatar.example/a.png',
    '//gravatar.example/a.png',
    '/\\gravatar.example/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml;base64,AAAA',
    'data:text/html,<script>',
    'a.png',
    'blob:https://gravatar.example/1',
    '/services/analysis/api/v4/signature/change_status/x/DISABLED/',
    `${ORIGIN}/services/analysis/api/v4/alert/ownership/x/`,
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
