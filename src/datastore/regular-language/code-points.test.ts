import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lowercase } from './code-points.ts';

describe('lowercase', () => {
  it('takes each code point by itself: no final sigma, no dot above a small i', () => {
    assert.equal(lowercase('ΣΊΣΥΦΟΣ'), 'σίσυφοσ');
    assert.equal(lowercase('İSTANBUL'), 'istanbul');
    assert.equal(lowercase('GROẞ ÅNGSTRÖM Ⅷ'), 'groß ångström ⅷ');
  });

  it('keeps the number of code points, and what is lower case already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const lower = lowercase(text);
        assert.equal([...lower].length, [...text].length);
        assert.equal(lowercase(lower), lower);
      }),
    );
  });
});
