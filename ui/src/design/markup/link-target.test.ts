import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchAddress, linkTarget, pictureAddress } from './link-target.ts';

const ORIGIN = 'https://triad.example';

it('tells pages from other hosts', () => {
  assert.deepEqual(linkTarget('/alerts?query=a#b', ORIGIN), { kind: 'page', path: '/alerts?query=a#b' });
  assert.deepEqual(linkTarget('https://triad.example/cases/1', ORIGIN), { kind: 'page', path: '/cases/1' });
  assert.deepEqual(linkTarget('http://wiki.example:8080/x', ORIGIN), {
    kind: 'external',
    href: 'http://wiki.example:8080/x',
    host: 'wiki.example:8080',
  });
  const spoof = linkTarget('https://wіki.example', ORIGIN);
  assert.equal(spoof?.kind === 'external' && spoof.host.startsWith('xn--'), true);
});

it('leads nowhere else', () => {
  const refused = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'file:///etc/passwd',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil.example',
    'ftp://a',
    '#a',
    'evil.example',
    'https://triad.example@evil.example/',
    'https://u:p@evil.example',
    'https://',
    'mailto:a@b',
    '',
    '/services/alerts/api/v1/user',
    '/session',
    '/session/providers/x',
    `https://a.example/${'a'.repeat(5000)}`,
    '/\t/evil.example',
    'http:/\\evil.example',
  ];
  for (const href of refused) {
    const target = linkTarget(href, ORIGIN);
    assert.ok(target === undefined || (target.kind === 'page' && target.path.startsWith('/')), href);
    assert.ok(!JSON.stringify(target ?? '').includes('evil'), href);
  }
});

it('takes pictures and answers of this origin alone', () => {
  for (const own of ['/assets/a.png', '/services/alerts/api/v1/user/avatar/ana%40x']) {
    assert.equal(pictureAddress(own, ORIGIN), own);
  }
  for (const source of [
    'https://evil.example/a.png',
    '//evil.example/a',
    '/\\evil.example',
    'data:image/png,x',
    '/session/x',
    'a.png',
    // A browser asks for pictures by itself: these would change something in the name of who reads.
    '/services/analysis/api/v4/signature/change_status/x/DISABLED/',
    '/services/alerts/api/v1/user/avatar/../../../../../analysis/api/v4/alert/ownership/x/',
    '/%73ervices/analysis/api/v4/alert/ownership/x/',
    '/x/../services/analysis/api/v4/workflow/x/run/',
  ]) {
    assert.equal(pictureAddress(source, ORIGIN), undefined, source);
  }
  assert.equal(fetchAddress('/api/v1/hit/1?x=2', ORIGIN), '/services/alerts/api/v1/hit/1?x=2');
  const info = '/services/analysis/api/v4/file/info/x/';
  assert.equal(fetchAddress(info, ORIGIN), info);
  for (const address of [
    '/session',
    '/services/alerts/api/../../../session',
    '/services/operations/v1/health',
    'https://evil.example/api/',
    '//evil.example/api/',
    '/\\evil.example/api/',
    'api/v1',
    '/api/v1/auth/login',
    '/api/v1/%61uth/login',
    '/api/v1/clue/lookup/enrich/ip/203.0.113.7',
    '/services/enrichment/api/v1/lookup/enrich/ip/203.0.113.7/',
    '/services/analysis/api/v4/signature/change_status/x/DISABLED/',
    '/services/analysis/api/v4/alert/ownership/x/',
    '/services/analysis/api/v4/file/ai/x/',
  ]) {
    assert.equal(fetchAddress(address, ORIGIN), undefined, address);
  }
});
