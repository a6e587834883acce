import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { substringRegexp } from './substring-regexp.ts';

describe('a regular expression that asks for a string in any case', () => {
  for (const [pattern, contained, isWhole] of [
    ['.*[eE][vV][iI][lL].*', 'evil', true],
    ['.*[Ee]\\.\\/ 1_.*', 'e./ 1_', true],
    ['.*203\\.0.*', '203.0', true],
    // Letters beyond ASCII are left to the expression; what stands before or after them narrows the values.
    ['.*[éÉ][cC][hH][eE][cC].*', 'chec', false],
    ['.*[aA][éÉ].*', 'a', false],
    ['.*日.*', '', false],
  ] as const) {
    it(`is ${pattern}`, () => assert.deepEqual(substringRegexp(pattern), { contained, isWhole }));
  }

  for (const pattern of [
    '',
    '.*',
    '.*.*',
    '.*evil.*',
    '[eE].*',
    '.*[eE]',
    '.*[eEa].*',
    '.*[^eE].*',
    '.*[ef].*',
    '.*[a-b].*',
    '.*[eE]+.*',
    '.*[eE]|[fF].*',
    '.*[eE]\\.*',
    '.*\\d.*',
    '.*[.*',
  ]) {
    it(`is not ${pattern || 'an empty one'}`, () => assert.equal(substringRegexp(pattern), undefined));
  }
});
