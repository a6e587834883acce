import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { relyingParty } from './relying-party.ts';

const PAGES = [
  'https://triad.example',
  'https://triad.example:8443',
  'https://ui.triad.example',
  'http://triad.example',
  'http://localhost:8080',
  'https://localhost',
  'https://triad.example.org',
  'https://xtriad.example',
  'null',
  '',
];

describe('relyingParty', () => {
  const cases: readonly [
    what: string,
    fqdn: string,
    urls: readonly (string | null)[],
    id: string,
    pages: readonly string[],
  ][] = [
    ['pages of localhost when nothing is set', 'localhost', [null], 'localhost', [PAGES[4] ?? '', PAGES[5] ?? '']],
    [
      'the page of the public URL alone',
      'localhost',
      [null, 'https://triad.example'],
      'triad.example',
      [PAGES[0] ?? ''],
    ],
    [
      'all public URLs of the name and below it',
      'triad.example',
      ['https://triad.example:8443', 'https://ui.triad.example', 'https://triad.example.org'],
      'triad.example',
      PAGES.slice(1, 3),
    ],
    ['every port with TLS when the name alone is set', 'Triad.example', [], 'triad.example', PAGES.slice(0, 2)],
  ];
  for (const [what, fqdn, urls, id, pages] of cases) {
    it(`allows ${what}`, () => {
      const party = relyingParty(fqdn, urls);
      assert.equal(party?.id, id);
      assert.deepEqual(
        PAGES.filter((page) => party?.allows(page)),
        pages,
      );
    });
  }

  it('is missing where the installation has an address and no name', () => {
    assert.equal(relyingParty('localhost', ['https://192.0.2.1:8443']), undefined);
    assert.equal(relyingParty('localhost', ['https://[2001:db8::1]']), undefined);
    assert.equal(relyingParty('192.0.2.1', []), undefined);
    assert.equal(relyingParty('triad.example', ['https://192.0.2.1'])?.id, 'triad.example');
  });
});
