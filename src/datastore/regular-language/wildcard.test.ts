import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { StepBudget } from './query-limits.ts';
import { compileWildcard, mapWildcardLiterals } from './wildcard.ts';

describe('compileWildcard', () => {
  it('takes * for any run, ? for one code point, a backslash for the character after it', () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ['a*', 'a', true],
      ['a*', 'ba', false],
      ['*', '', true],
      ['?', '', false],
      ['?', '😀', true],
      ['??', '😀', false],
      ['a?c', 'abc', true],
      ['*b*', 'abc', true],
      ['a\\*b', 'a*b', true],
      ['a\\*b', 'axb', false],
      ['\\\\', '\\', true],
      ['a\\', 'a\\', true],
      ['', '', true],
      ['', 'a', false],
      ['*a*b', 'aab', true],
      ['*ab', 'aab', true],
      ['a*\n*b', 'a\nb', true],
    ];
    for (const [pattern, value, expected] of cases)
      assert.equal(compileWildcard(pattern)(value), expected, `${pattern} ${value}`);
  });

  it('agrees with a regular expression', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\', '.'), maxLength: 8 });
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\', '.'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, value, (p, v) => assert.equal(compileWildcard(p)(v), asRegExp(p).test(v))),
      { numRuns: 2000 },
    );
  });

  it('takes no steps for values, prefixes, suffixes and substrings', () => {
    const budget = new StepBudget(0, () => new Error('no steps are left'));
    const literal = 'a'.repeat(10_000);
    for (const pattern of ['', literal, '*', `${literal}*`, `*${literal}`, `**${literal}**`]) {
      assert.equal(compileWildcard(pattern, budget)(pattern.replaceAll('*', '')), true);
    }
    assert.throws(() => compileWildcard('a?', budget), /no steps are left/);
  });

  it('does not hang on many stars', () => {
    assert.equal(compileWildcard('*a'.repeat(2000))('a'.repeat(3000)), true);
    assert.equal(compileWildcard(`${'*a'.repeat(2000)}b`)('a'.repeat(3000)), false);
  });
});

describe('mapWildcardLiterals', () => {
  it('leaves wildcards and escaped characters as they are', () => {
    assert.equal(
      mapWildcardLiterals('AB*C?\\D\\*', (text) => text.toLowerCase()),
      'ab*c?\\D\\*',
    );
  });
});

function asRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\\.|./gs, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return (part.length > 1 ? part.slice(1) : part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'su');
}
