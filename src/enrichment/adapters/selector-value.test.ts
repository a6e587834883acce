import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostOf, vendorValue } from './selector-value.ts';

/** Type, value, and what vendors are sent; undefined for nothing. */
const VALUES: readonly (readonly [type: string, value: string, sent: string | undefined])[] = [
  ['md5', '44D88612FEA8A8F36DE82E1278ABB02F', '44d88612fea8a8f36de82e1278abb02f'],
  ['md5', '44d88612fea8a8f36de82e1278abb02', undefined],
  ['sha1', '44d88612fea8a8f36de82e1278abb02f', undefined],
  ['ipv4', '192.0.2.1', '192.0.2.1'],
  ['ipv4', '192.0.2.256', undefined],
  ['ipv6', '2001:db8::1', '2001:db8::1'],
  ['ipv6', '192.0.2.1', undefined],
  ['domain', 'Example.ORG.', 'example.org'],
  ['domain', 'bücher.example', 'xn--bcher-kva.example'],
  ['domain', '192.0.2.1', undefined],
  ['domain', 'localhost', undefined],
  ['domain', '_dmarc.example.org', '_dmarc.example.org'],
  ['email_address', 'a.b@example.org', 'a.b@example.org'],
  ['email_address', 'a@b@example.org', undefined],
  ['url', 'http://user:p@ss@example.org/a@b', 'http://example.org/a@b'],
  ['url', 'user@example.org/a', 'example.org/a'],
  ['url', 'https://[2001:db8::1]:8443/x?y#z', 'https://[2001:db8::1]:8443/x?y#z'],
  ['url', 'http://example.org/a?mail=b@c.example', 'http://example.org/a?mail=b@c.example'],
  ['url', 'http://example.org\\@other.example/', 'http://example.org\\@other.example/'],
  ['url', 'javascript:alert(1)', undefined],
  ['url', 'http://localhost/', undefined],
  ['port', '443', undefined],
];

describe('values for vendors', () => {
  for (const [type, value, sent] of VALUES) {
    it(`are ${sent ?? 'not sent'} for the ${type} ${value}`, () => assert.equal(vendorValue(type, value), sent));
  }

  it('have hosts without ports and brackets', () => {
    assert.equal(hostOf('https://[2001:db8::1]:8443/x'), '2001:db8::1');
    assert.equal(hostOf('Bücher.example:80/x'), 'xn--bcher-kva.example');
    assert.equal(hostOf(`http://a.example/${'x'.repeat(5_000)}`), undefined);
  });
});
