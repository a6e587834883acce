import assert from 'node:assert/strict';
import { isIPv4, isIPv6 } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAddress, parseAddress, parseNetwork } from './ip-address.ts';

describe('parseAddress', () => {
  it('takes IPv4 and its mapped form for the same', () => {
    assert.equal(parseAddress('10.1.2.3'), '00000000000000000000ffff0a010203');
    for (const text of ['::ffff:10.1.2.3', '::ffff:a01:203', '::FFFF:10.1.2.3', '0:0:0:0:0:ffff:10.1.2.3']) {
      assert.equal(parseAddress(text), parseAddress('10.1.2.3'), text);
    }
  });

  it('drops the zone of an IPv6 address', () => {
    assert.equal(parseAddress('fe80::1%eth0'), parseAddress('fe80::1'));
  });

  it('refuses what is not an address', () => {
    const texts = [
      '',
      '10.0.0',
      '10.0.0.256',
      '010.0.0.1',
      '1.2.3.4.5',
      '1::2::3',
      ':',
      ':::',
      '1:2',
      '12345::',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7:8::',
      '[::1]',
      '::g',
      '1.2.3.4%1',
      '::1.2.3',
      ' ::1',
    ];
    for (const text of texts) assert.equal(parseAddress(text), undefined, text);
  });

  it('reads every address that is written in canonical form, and writes it the same', () => {
    fc.assert(fc.property(fc.ipV4(), (text) => assert.equal(formatAddress(parseAddress(text) ?? ''), text)));
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const hex = parseAddress(text) ?? '';
        assert.match(hex, /^[0-9a-f]{32}$/);
        assert.equal(parseAddress(formatAddress(hex)), hex);
      }),
    );
  });

  it('accepts nothing that the platform does not take for an address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f.:]{1,20}$/), (text) => {
        if (parseAddress(text) !== undefined) assert.ok(isIPv4(text) || isIPv6(text), text);
      }),
    );
  });
});

describe('parseNetwork', () => {
  it('gives the first and last address, regardless of the host bits', () => {
    assert.deepEqual(parseNetwork('10.0.0.77/8'), {
      first: parseAddress('10.0.0.0'),
      last: parseAddress('10.255.255.255'),
    });
    assert.deepEqual(parseNetwork('2001:db8::/127'), {
      first: parseAddress('2001:db8::'),
      last: parseAddress('2001:db8::1'),
    });
    assert.deepEqual(parseNetwork('::/0'), { first: '0'.repeat(32), last: 'f'.repeat(32) });
    assert.deepEqual(parseNetwork('0.0.0.0/0'), {
      first: parseAddress('0.0.0.0'),
      last: parseAddress('255.255.255.255'),
    });
  });

  it('refuses what is not a network, masks longer than the address, and mapped addresses', () => {
    for (const text of [
      '10.0.0.0',
      '10.0.0.0/',
      '/8',
      '10.0.0.0/33',
      '::/129',
      '::ffff:0:0/96',
      '::ffff:10.0.0.0/8',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
    ]) {
      assert.equal(parseNetwork(text), undefined, text);
    }
  });
});
