import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenKind } from './token-kinds.ts';

const EXAMPLES = {
  address: ['192.0.2.25', '2001:db8::7', '2001:0DB8:0:0:0:0:0:7', '::1'],
  hash: ['0123456789abcdef0123456789ABCDEF', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', 'a'.repeat(64)],
  email: ['ops@mail.example.org', "o'brien+soc@example.org"],
  url: ['https://login.example.net/a/b?c=1', 'hxxp://x', 'ftp://two words'],
  domain: ['example.org', 'login.portal.example.net', '203.0.113', 'bücher.example', 'powershell.exe'],
  text: [
    'powershell',
    '192.0.2.0/24',
    '203.0.113.7*',
    '203.0.113.77:443',
    'a'.repeat(63),
    'ops@mail',
    '1.5',
    'a b.example',
  ],
} as const;

describe('the kind of a query', () => {
  for (const [kind, queries] of Object.entries(EXAMPLES)) {
    it(`is ${kind} for ${queries[0]}`, () => {
      for (const query of queries) assert.equal(tokenKind(query), kind, query);
    });
  }

  it('is found in milliseconds for hostile queries', () => {
    const hostile = [
      'a'.repeat(1024),
      'a.'.repeat(512),
      `${'a-'.repeat(511)}@`,
      '1:'.repeat(512),
      `${'a.'.repeat(500)}@b`,
    ];
    const start = performance.now();
    for (const query of hostile) tokenKind(query);
    assert.ok(performance.now() - start < 100, `${performance.now() - start} ms`);
  });
});
