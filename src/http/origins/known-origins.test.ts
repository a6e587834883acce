import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { originTest } from './known-origins.ts';

const ORIGINS = ['https://ui.example.org', 'https://.*\\.apps\\.example\\.org', 'http://localhost:3000/'];

describe('originTest', () => {
  const isAllowed = originTest(ORIGINS, 'x');
  const origins = {
    'https://ui.example.org': true,
    'https://one.apps.example.org': true,
    'http://localhost:3000': true,
    'http://ui.example.org': false,
    'https://ui.example.org:8443': false,
    'https://ui.example.org.evil.example': false,
    'https://uixexample.org': false,
    'https://one.apps.example.org.evil.example': false,
    'https://evil.example/.apps.example.org': false,
    'https://evil.example?.apps.example.org': false,
    null: false,
    '': false,
  };
  for (const [origin, allowed] of Object.entries(origins)) {
    it(`${allowed ? 'takes' : 'refuses'} ${origin}`, () => assert.equal(isAllowed(origin), allowed));
  }

  it('stops the start when an expression cannot be read', () => {
    assert.throws(() => originTest(['https://(.org'], 'enrichment.cors_origins'), {
      code: 'invalid_setting',
      message: 'enrichment.cors_origins: https://(.org is not a regular expression.',
    });
  });

  it('takes no origin that is longer than one can be', () => {
    assert.equal(isAllowed(`https://${'a.'.repeat(100)}apps.example.org`), true);
    assert.equal(isAllowed(`https://${'a.'.repeat(200)}apps.example.org`), false);
  });

  it('gives an expression up that does not come to an end, and tries none for a while, but for origins that it knows', () => {
    const clock = { now: 0 };
    const isKnown = originTest(['https://([a-z]+-?)+\\.example\\.org', 'https://fixed.example'], 'x', () => clock.now);
    const endless = (name: string) => `https://${name.repeat(30)}.example.com`;
    assert.equal(isKnown('https://seen.example.org'), true);
    const begun = performance.now();
    for (const name of 'abcdefghijklmnopqrstuvwxyz') assert.equal(isKnown(endless(`${name}a`)), false);
    assert.ok(performance.now() - begun < 1000, 'only the first of them took its time');
    assert.equal(isKnown('https://seen.example.org'), true);
    assert.equal(isKnown('https://fixed.example'), true);
    assert.equal(isKnown('https://other.example.org'), false, 'not now');
    clock.now += 1000;
    assert.equal(isKnown('https://other.example.org'), true, 'what was not tried is not remembered');
  });
});
