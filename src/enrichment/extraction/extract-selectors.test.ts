import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extractSelectors } from './extract-selectors.ts';

/** Returns `type value` of each selector. */
const found = (text: string) => extractSelectors(text).map(({ type, value }) => `${type} ${value}`);

describe('extractSelectors', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'hxxps://evil[.]com/a?x=1, then http[:]//q.org/': ['url https://evil.com/a?x=1', 'url http://q.org/'],
    'evil[dot]org bad(dot)net 203[.]0[.]113[.]9': ['domain evil.org', 'domain bad.net', 'ipv4 203.0.113.9'],
    'mail foo[at]bar[.]com or <a.b@c.co.uk>.': ['email_address foo@bar.com', 'email_address a.b@c.co.uk'],
    '1.2.3.4:8080 and [2001:db8::1]:443': ['ipv4 1.2.3.4', 'ipv6 2001:db8::1'],
    'outside:1.2.3.4/443 src=9.9.9.9,dst=7.7.7.7': ['ipv4 1.2.3.4', 'ipv4 9.9.9.9', 'ipv4 7.7.7.7'],
    '{"ip":"5.6.7.8","host":"a.example.com"}': ['ipv4 5.6.7.8', 'domain a.example.com'],
    'CVE-2021-44228 by T1059.001, TA0001': ['cve CVE-2021-44228', 'attack_id T1059.001', 'attack_id TA0001'],
    d41d8cd98f00b204e9800998ecf8427e: ['md5 d41d8cd98f00b204e9800998ecf8427e'],
    [`${'a1'.repeat(20)} ${'C2'.repeat(32)}`]: [`sha1 ${'a1'.repeat(20)}`, `sha256 ${'C2'.repeat(32)}`],
    'see (http://example.org/a_(b)) or github.com/foo/bar.py': [
      'url http://example.org/a_(b)',
      'url github.com/foo/bar.py',
    ],
    '${jndi:ldap://evil.com:1389/a}': ['url ldap://evil.com:1389/a'],
    'münchen.de EXAMPLE.ORG Evil.com': ['domain xn--mnchen-3ya.de', 'domain example.org', 'domain evil.com'],
    '_dmarc.example.org': ['domain example.org'],
    '1.2.3.4-1.2.3.9': ['ipv4 1.2.3.4', 'ipv4 1.2.3.9'],
    'once 8.8.8.8 twice 8.8.8.8': ['ipv4 8.8.8.8'],
    '::1 fe80::1%eth0': ['ipv6 ::1', 'ipv6 fe80::1%eth0'],
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`finds ${expected.join(', ')}`, () => assert.deepEqual(found(text), expected));
  }

  const none = [
    'invoice.exe main.rs README.md script.sh libc.so.6',
    'version 1.2.3.4, v1.2.3.4, Chrome/120.0.0.0, 1.2.3.4.5, 01.02.03.04, 256.1.1.1',
    'Foo.Bar() and System.Net and this.name',
    '12:34:56 aa:bb:cc:dd:ee:ff std::vector dead::beef',
    '/etc/passwd /var/www/foo.com C:\\temp\\foo.com and/or http://localhost/x',
    'co.uk example.invalid T105 CVE-20-1',
    '0'.repeat(32),
    'a'.repeat(33),
    '',
  ];
  for (const text of none) {
    it(`finds nothing in "${text.slice(0, 40)}"`, () => assert.deepEqual(found(text), []));
  }

  it('says where a value is in the text as it was sent', () => {
    const text = 'To hxxp://evil[.]com/x, evil[dot]org:53 and 10.0.0.0/8.';
    assert.deepEqual(
      extractSelectors(text).map(({ start, end }) => text.slice(start, end)),
      ['hxxp://evil[.]com/x', 'evil[dot]org', '10.0.0.0'],
    );
  });

  it('reports ports, networks and reserved addresses', () => {
    assert.deepEqual(extractSelectors('192.168.1.1:22 10.0.0.0/8 8.8.8.8 ff02::1'), [
      { type: 'ipv4', value: '192.168.1.1', reserved: 'private', port: 22, start: 0, end: 11 },
      { type: 'ipv4', value: '10.0.0.0', reserved: 'private', prefix: 8, start: 15, end: 23 },
      { type: 'ipv4', value: '8.8.8.8', start: 26, end: 33 },
      { type: 'ipv6', value: 'ff02::1', reserved: 'multicast', start: 34, end: 41 },
    ]);
  });

  it('leaves out values that no lookup takes', () => {
    assert.deepEqual(found(`http://a.com/${'x'.repeat(5000)} http://b.com/`), ['url http://b.com/']);
  });
});
