import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FuzzyDigester } from './fuzzy-digests.ts';

const digest = (bytes: Buffer, chunk = 1000) => {
  const digester = new FuzzyDigester(bytes.length);
  for (let at = 0; at < bytes.length; at += chunk) digester.update(bytes.subarray(at, at + chunk));
  return digester.digest();
};
/** Bytes of a linear congruential generator, the high byte of each state. */
const random = (size: number) => {
  let state = 1;
  return Buffer.from(
    Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
};

describe('entropy, ssdeep and TLSH', () => {
  it('are those that the public system recorded', () => {
    const view = 'R29sZGVuIHZpZXcAAX/CgMO/IHRleHQgd2l0aCDDvG7Dr2NvZGUgYW5kIGEgVwBpAGQAZQBzAHQAcgAgZW5kDQo=';
    assert.deepEqual(digest(Buffer.from(view, 'base64')), {
      entropy: 4.381918728673214,
      ssdeep: '3:nBKTFanlO/r62FzhbZRGev:nBKTb/r62FzhVUw',
      tlsh: 'T171A0022342A10705E8F5591E22D63544F1CD52C599D5D6550D5841081B58359A93BB11',
    });
  });

  /** Values of the Python packages ppdeep and py-tlsh. */
  const values: readonly (readonly [what: string, bytes: Buffer, ssdeep: string, tlsh: string | undefined])[] = [
    ['nothing', Buffer.alloc(0), '3::', undefined],
    ['one byte', Buffer.from('a'), '3:E:E', undefined],
    ['zeros', Buffer.alloc(5000), '3::', undefined],
    [
      'a text',
      Buffer.from('the quick brown fox jumps over the lazy dog\n'.repeat(40)),
      '12:+44444444444444444444444444444444444444o:3',
      'T15431024A21281394648E1884438DA4F282D8D611A1311411683060025808521DC99491',
    ],
    ['49 random bytes', random(49), '3:eDjrjzgp/9e4MGp+7XA:eDXPs/4FGUQ', undefined],
    [
      '50 random bytes',
      random(50),
      '3:eDjrjzgp/9e4MGp+7Xf:eDXPs/4FGUv',
      'T1EA90025A96B48248092A5058D5C45475D0728AE51459D8955592055033D1A201015010',
    ],
    [
      '192 random bytes',
      random(192),
      '3:eDjrjzgp/9e4MGp+7X+u7yEwLn24SHjsoO1XzjjfGzuY2ApWUayLekrdw6+5OLHj:eDXPs/4FGUrX+5SHQTdPjEpgYe2fDH4k',
      'T1E9C0222B7A70826CA5AAB8F0F9CAD436D1228D4954AC186A09024EAD2BC052C00441B8',
    ],
    [
      '193 random bytes',
      random(193),
      '6:eDXPs/4FGUrX+5SHQTdPjEpgYe2fDH4Yrebn:eDXPs/yrX+Mwj2jCbn',
      'T1DDC0222B7A70826CA5AAB8F0F9CAD436D1228D4954AC586A09024EAD2BC052C00441B8',
    ],
    [
      '656 random bytes',
      random(656),
      '12:eDXPs/yrX+Mwj2jCbiN9fqmaAbggzIWZ1BE2nCrCcOW24ngmJm1EwkrN:ofpwiCb4fQARTZ1DnCmjr4ngjEBN',
      'T1B9F0231B6234943AF9D2F8D9D5E2C92BB2618D94786DC12112079FDFB3D5EA48A410F8',
    ],
    [
      '657 random bytes',
      random(657),
      '12:eDXPs/yrX+Mwj2jCbiN9fqmaAbggzIWZ1BE2nCrCcOW24ngmJm1EwkrS:ofpwiCb4fQARTZ1DnCmjr4ngjEBS',
      'T18601231B6234943AF9D2F8D9D5E2C92BB2618D94786DC12112079FDFB3D5EA48A410F8',
    ],
    [
      '5000 random bytes',
      random(5000),
      '96:PitdAhI7QXpLQb/pzwtrX1MECTqZ+njVT/pRhS3l6u0x+CZ0HgyW5:PiTAC05SorlCqZCF3JByC',
      'T1D8A17D935665A8317300DAC3AF5A8C3AA1614E8455EBDDB3A0373D24B310B950DC9A97',
    ],
    [
      '100000 random bytes',
      random(100000),
      '1536:dQ2YUDRfd4xQLmQDx+nqQdANM2UIGnKbKKz3KMjGWAG6AuouGJJQM:dRXlfd4xSxSqQiyTYbRzVGbSuM',
      'T156A3129FBD64E4D46D005C6118AB51EF76F3EF7493C296C1840BAA21DE55B1F2CA02EC',
    ],
    [
      '190335 random bytes',
      random(190335),
      '3072:dRXlfd4xSxSqQiyTYbRzVGbSuFjSK7/mOdwoFJPBfJcRd2xB9kwlCex0e:jtd4xSxSjiyTYtzMbJFjSESoFJZb9kMt',
      'T1AC04125FB125D0D63E20ACB5149A11F736E3BF3823DD62E180011BAACB0978A6D757BC',
    ],
    [
      '190336 random bytes',
      random(190336),
      '3072:dRXlfd4xSxSqQiyTYbRzVGbSuFjSK7/mOdwoFJPBfJcRd2xB9kwlCex0q:jtd4xSxSjiyTYtzMbJFjSESoFJZb9kMH',
      'T17E14125FB125D0D63E20ACB5149A11F736E3BF3823DD62E180011BAACB0978A6D757BC',
    ],
    [
      '700000 random bytes',
      random(700000),
      '12288:5deZiJzMbJE+FJZxMe6kdwb0MUVVbIYhKCQGXc9B4WMt3lAqQFyQfGf9zQB:52IMfFJZxtSb0MKbIYhBQz9B/kVAqoLd',
      'T1EEE4235EA735C1E37580888BC74218DE3F9F5E2A03EB67C6925634B3EF4B601C9859E4',
    ],
    [
      'random bytes and zeros',
      Buffer.concat([random(20_000), Buffer.alloc(60_000)]),
      '384:qj05SonZCF3ryQeW29HTtSbhX5ckuJv6EqVCvOTtsfMUulznx7e:dC9fc3ihG5Jv6EHvYsfMUulDx',
      'T17273D1D77ADAB0B9E2104EF25D174853B29A9FB496D76EB1D42F5030FA00B840C9ED4A',
    ],
  ];
  for (const [what, bytes, ssdeep, tlsh] of values) {
    it(`are those of the public tools: ${what}`, () => {
      const { entropy: _entropy, ...digests } = digest(bytes);
      assert.deepEqual(digests, tlsh === undefined ? { ssdeep } : { ssdeep, tlsh });
    });
  }

  it('do not depend on how the bytes arrive', () => {
    const bytes = random(100_000);
    for (const chunk of [1, 7, 64, 100_000]) assert.deepEqual(digest(bytes, chunk), digest(bytes));
  });

  it('have an entropy from 0 to 8 bits', () => {
    assert.equal(digest(Buffer.alloc(0)).entropy, 0);
    assert.equal(digest(Buffer.alloc(1000)).entropy, 0);
    assert.equal(digest(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))).entropy, 8);
  });
});
