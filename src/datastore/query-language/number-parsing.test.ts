import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseDecimal, parseIntegerPart } from './number-parsing.ts';

describe('parseIntegerPart', () => {
  it('is exact beyond what a double holds', () => {
    assert.deepEqual(parseIntegerPart('9223372036854775807'), { whole: 9223372036854775807n, hasFraction: false });
    assert.deepEqual(parseIntegerPart('-9007199254740993.5'), { whole: -9007199254740993n, hasFraction: true });
  });

  it('moves the point as the exponent says', () => {
    assert.deepEqual(parseIntegerPart('1.024e3'), { whole: 1024n, hasFraction: false });
    assert.deepEqual(parseIntegerPart('1.0245e3'), { whole: 1024n, hasFraction: true });
    assert.deepEqual(parseIntegerPart('50e-1'), { whole: 5n, hasFraction: false });
    assert.deepEqual(parseIntegerPart('5e-3'), { whole: 0n, hasFraction: true });
    assert.deepEqual(parseIntegerPart('0e-3'), { whole: 0n, hasFraction: false });
  });

  it('does not write out absurd exponents', () => {
    assert.ok((parseIntegerPart('1e999999')?.whole ?? 0n) > 10n ** 300n);
    assert.equal(parseIntegerPart('0e999999')?.whole, 0n);
  });

  it('agrees with the platform on numbers that a double holds', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (number) => {
        const parsed = parseIntegerPart(String(number));
        assert.equal(parsed?.whole, BigInt(Math.trunc(number)));
        assert.equal(parsed?.hasFraction, !Number.isInteger(number));
      }),
    );
  });
});

describe('parseDecimal', () => {
  it('reads numbers with blanks around them and what is not finite', () => {
    for (const text of ['443', ' 443 ', '443.0', '.5', '5.', '+5', '-5', '1e3', '1E-3'])
      assert.equal(parseDecimal(text), Number(text.replace('+', '')));
    assert.equal(parseDecimal('-Infinity'), Number.NEGATIVE_INFINITY);
    assert.ok(Number.isNaN(parseDecimal('NaN')));
  });

  it('refuses the rest', () => {
    for (const text of ['', ' ', 'abc', '1,5', '0x10', '1_000', '1e', 'e3', '.', '5 5', 'nan', '443f'])
      assert.equal(parseDecimal(text), undefined, text);
  });
});
