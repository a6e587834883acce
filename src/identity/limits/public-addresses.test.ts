import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLinkLocalAddress, isPublicAddress } from './public-addresses.ts';

describe('isLinkLocalAddress', () => {
  it('is true for link-local addresses and metadata services, in every spelling', () => {
    const addresses = '169.254.169.254 fe80::1 fe80::1%eth0 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe fd00:ec2::254';
    for (const address of [...addresses.split(' '), '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', '100.100.100.200']) {
      assert.equal(isLinkLocalAddress(address), true, address);
      assert.equal(isPublicAddress(address), false, address);
    }
  });

  it('is false for private and public addresses, and for names', () => {
    for (const address of '127.0.0.1 10.0.0.1 192.168.1.1 ::1 fd00::1 100.100.100.201 8.8.8.8 example.org'.split(' ')) {
      assert.equal(isLinkLocalAddress(address), false, address);
    }
  });
});
