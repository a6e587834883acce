import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emailDomain, hasKnownTopLevel, isDomain, uriParts } from './internet-names.ts';

describe('isDomain', () => {
  it('takes names of two labels or more, international ones too', () => {
    for (const name of [
      'a.com',
      'A.B.example',
      'a--b.co.uk',
      'xn--80ak6aa92e.com',
      'münchen.de',
      'a.museum',
      'a.zzzz',
    ]) {
      assert.ok(isDomain(name), name);
    }
  });
  it('refuses everything else', () => {
    const longest = `${'a'.repeat(63)}.`.repeat(4);
    for (const name of [
      'x',
      '',
      '.',
      'a.',
      '.com',
      'a..com',
      '-a.com',
      'a-.com',
      'a_b.com',
      '1.2.3.4',
      'a.1a2',
      'a b.com',
      'a.c',
      `${longest}com`,
    ]) {
      assert.ok(!isDomain(name), name);
    }
  });
});

describe('hasKnownTopLevel', () => {
  it('knows registered and private top-level domains', () => {
    for (const name of ['a.com', 'a.COM', 'a.xn--p1ai', 'a.рф', 'a.local', 'a.internal', 'a.example'])
      assert.ok(hasKnownTopLevel(name), name);
    for (const name of ['a.zzzz', 'com', 'a.']) assert.ok(!hasKnownTopLevel(name), name);
  });
});

describe('emailDomain', () => {
  it('finds the domain of an address', () => {
    assert.equal(emailDomain("o'neil+x@a.com"), 'a.com');
  });
  it('refuses what is not an address', () => {
    for (const text of [
      '',
      'a',
      '@a.com',
      'a@',
      'a@b@c.com',
      'a..b@c.com',
      '.a@c.com',
      'a b@c.com',
      `${'a'.repeat(65)}@c.com`,
      'a@localhost',
    ]) {
      assert.equal(emailDomain(text), undefined, text);
    }
  });
});

describe('uriParts', () => {
  it('takes URIs with and without scheme, user and port', () => {
    assert.deepEqual(uriParts('HTTP://U:p@A.com:80/x@y?q'), {
      start: 'HTTP://U:p@A.com:80',
      host: 'A.com',
      isAddress: false,
    });
    assert.deepEqual(uriParts('//1.2.3.4#x'), { start: '//1.2.3.4', host: '1.2.3.4', isAddress: true });
    assert.deepEqual(uriParts('a.com'), { start: 'a.com', host: 'a.com', isAddress: false });
    assert.deepEqual(uriParts('http://::1/'), { start: 'http://::1', host: '::1', isAddress: true });
  });
  it('refuses what has no host or holds blanks', () => {
    for (const text of ['x', 'http://x/', 'http://a.com/b c', 'http://a_b/', 'http://-a.com', 'http://_a.com', '']) {
      assert.equal(uriParts(text), undefined, text);
    }
  });
  it('takes no longer for hostile texts than their length allows', () => {
    const started = performance.now();
    for (const text of [
      `http://${'a:@'.repeat(50_000)}`,
      `http://${'a.'.repeat(50_000)}!`,
      `http://${'1:'.repeat(50_000)}`,
    ]) {
      uriParts(text);
      emailDomain(text);
      isDomain(text);
    }
    assert.ok(performance.now() - started < 5000);
  });
});
