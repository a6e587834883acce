import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addressBytes, addressText, embeddedAddress, specialNetworks } from './special-networks.ts';

const networksOf = (address: string) => specialNetworks(addressBytes(address) ?? new Uint8Array());

describe('specialNetworks', () => {
  const first: readonly (readonly [address: string, network: string | undefined])[] = [
    ['0.0.0.0', '0.0.0.0/32'],
    ['0.0.0.1', '0.0.0.0/8'],
    ['9.255.255.255', undefined],
    ['10.0.0.0', '10.0.0.0/8'],
    ['10.255.255.255', '10.0.0.0/8'],
    ['11.0.0.0', undefined],
    ['100.63.255.255', undefined],
    ['100.64.0.0', '100.64.0.0/10'],
    ['100.127.255.255', '100.64.0.0/10'],
    ['100.128.0.0', undefined],
    ['172.15.255.255', undefined],
    ['172.31.255.255', '172.16.0.0/12'],
    ['172.32.0.0', undefined],
    ['192.0.0.8', '192.0.0.8/32'],
    ['192.0.0.171', '192.0.0.170/31'],
    ['192.0.0.200', '192.0.0.0/24'],
    ['198.17.255.255', undefined],
    ['198.19.255.255', '198.18.0.0/15'],
    ['203.0.113.7', '203.0.113.0/24'],
    ['223.255.255.255', undefined],
    ['224.0.0.1', '224.0.0.0/4'],
    ['255.255.255.254', '240.0.0.0/4'],
    ['255.255.255.255', '255.255.255.255/32'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['::2', '::/96'],
    ['64:ff9b::1', '64:ff9b::/96'],
    ['64:ff9b::1:0:0', undefined],
    ['100::1', '100::/64'],
    ['100:0:0:1::1', '100:0:0:1::/64'],
    ['100:0:0:2::1', undefined],
    ['2001:0:1::', '2001::/32'],
    ['2001:1ff::', '2001::/23'],
    ['2001:200::', undefined],
    ['2001:db8:ffff::', '2001:db8::/32'],
    ['2001:db9::', undefined],
    ['3fff:fff::', '3fff::/20'],
    ['3fff:1000::', undefined],
    ['fdff::', 'fc00::/7'],
    ['fe80::1%eth0', 'fe80::/10'],
    ['febf::', 'fe80::/10'],
    ['fec0::', 'fec0::/10'],
    ['ff02::1', 'ff00::/8'],
    ['2606:4700::1111', undefined],
  ];
  for (const [address, network] of first) {
    it(`puts ${address} in ${network ?? 'no special network'}`, () => {
      assert.equal(networksOf(address)[0]?.network, network);
    });
  }
});

describe('embeddedAddress', () => {
  const carried: readonly (readonly [address: string, mechanism: string | undefined, inside?: string])[] = [
    ['::ffff:192.0.2.1', 'IPv4-mapped', '192.0.2.1'],
    ['::ffff:c000:201', 'IPv4-mapped', '192.0.2.1'],
    ['::8.8.8.8', 'IPv4-compatible', '8.8.8.8'],
    ['64:ff9b::192.0.2.33', 'NAT64', '192.0.2.33'],
    ['2002:c000:204::1', '6to4', '192.0.2.4'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo', '192.0.2.45'],
    ['::1', undefined],
    ['2001:db8::1', undefined],
    ['192.0.2.1', undefined],
  ];
  for (const [address, mechanism, inside] of carried) {
    it(`finds ${inside ?? 'nothing'} in ${address}`, () => {
      const found = embeddedAddress(addressBytes(address) ?? new Uint8Array());
      assert.deepEqual([found?.mechanism, found && addressText(found.address)], [mechanism, inside]);
    });
  }
});

describe('addressBytes', () => {
  it('is undefined for what is not an address, and reads every spelling of one', () => {
    for (const text of ['', '1.2.3', '1.2.3.4.5', 'g::', '::1::', '1.2.3.4%eth0', 'example.org']) {
      assert.equal(addressBytes(text), undefined, text);
    }
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const bytes = addressBytes(text) ?? new Uint8Array();
        assert.equal(addressText(bytes), new URL(`http://[${text}]`).hostname.slice(1, -1));
      }),
    );
  });
});
