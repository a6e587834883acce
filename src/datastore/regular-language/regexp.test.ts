import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkRegexp, compileRegexp } from './regexp.ts';
import { toRe2 } from './regexp-re2.ts';

/** Pattern, values that match, values that do not. */
const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['alic', ['alic'], ['alice', '']],
  ['[a-c]+', ['a', 'abc'], ['d', '']],
  ['[^a-c]', ['d', '😀', '\n'], ['a', 'dd']],
  ['^a$', ['^a$'], ['a']],
  ['~(alice)', ['', 'bob', 'alices'], ['alice']],
  ['.*&~(a.*)', ['', 'bob'], ['alice']],
  ['@', ['', 'anything\n'], []],
  ['#', [], ['', '#']],
  ['"a.b"', ['a.b'], ['axb']],
  ['a\\.b', ['a.b'], ['axb']],
  ['<1-99>', ['1', '01', '0099', '50'], ['0', '100', '']],
  ['<01-12>', ['01', '12', '07'], ['1', '00', '13', '012']],
  ['\\w+\\d\\s?', ['a1', 'a1 '], ['1', 'é1']],
  ['[\\w-]+', ['a-b'], ['a b']],
  ['a{2,3}', ['aa', 'aaa'], ['a', 'aaaa']],
  ['()', [''], ['a']],
  ['', [''], ['a']],
  ['(@#)?b', ['b'], ['', 'ab']],
  ['(a*b*)*(c|@#)?d', ['d', 'aabcd', 'bacd'], ['ccd', 'xd']],
  ['(a|b){2}c*', ['ab', 'bbcc'], ['a', 'cab']],
  ['T1059(\\.[0-9]{3})?', ['T1059', 'T1059.001'], ['T10590']],
];

const MALFORMED = [
  '[',
  '(',
  'a{2',
  'a{',
  'a)',
  'a|',
  '[]',
  '[b-a]',
  '<1>',
  '<a-b>',
  '"a',
  '\\',
  'a&',
  '~',
  'a{3,1}',
  '\\q',
  'a'.repeat(1001),
];

const TOO_COMPLEX = [
  '(.{1,200}){1,100}',
  '.*a.{30}',
  '((a{1,30}){1,30}){1,30}',
  '(x{2147483647}){2147483647}',
  '(()){2147483647}',
  '(.?){900}x',
  `(${'a|b|'.repeat(20)}c){500}&~(${'.*a.{30}'.repeat(4)})`,
];

/** Long or ambiguous, and still cheap. */
const COMPLEX = [
  '.{1,1000}',
  '[0-9a-f]{64}',
  `.*(${Array.from({ length: 100 }, (_, at) => `word${at}`).join('|')}).*`,
  '(.*a){50}',
  '.*([a-z0-9]{1,63}\\.){2,5}com.*',
  '<1-2147483647>',
  '(a*)*'.repeat(150),
];

describe('compileRegexp', () => {
  for (const [pattern, matching, others] of CASES) {
    it(`reads ${JSON.stringify(pattern)}`, () => {
      const matches = compileRegexp(pattern);
      for (const value of matching) assert.ok(matches(value), value);
      for (const value of others) assert.ok(!matches(value), value);
    });
  }

  it('refuses malformed patterns with the reason', () => {
    for (const pattern of MALFORMED) {
      assert.notEqual(checkRegexp(pattern), undefined, pattern);
      assert.throws(() => compileRegexp(pattern), { code: 'invalid_query' });
    }
  });

  it('agrees with JavaScript on what both know', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|bb)', '(ab)', '\\.', '😀');
    const piece = fc.tuple(atom, fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}')).map(([a, times]) => a + times);
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const value = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, value, (p, v) =>
        assert.equal(compileRegexp(p)(v), new RegExp(`^(?:${p})$`, 'su').test(v), `${p} ${v}`),
      ),
      { numRuns: 1000 },
    );
  });

  it('keeps the laws of complement and intersection', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });
    const pattern = fc.constantFrom('a*', '(ab)+', 'a.*', '.*b', '<0-9>', '[ab]{2}');
    fc.assert(
      fc.property(pattern, pattern, word, (p, q, value) => {
        const test = (text: string): boolean => compileRegexp(text)(value);
        assert.equal(test(`~(${p})`), !test(p));
        assert.equal(test(`(${p})&(${q})`), test(p) && test(q));
        assert.equal(test(`~(~(${p})|~(${q}))`), test(p) && test(q));
      }),
    );
  });

  it('does not hang, and gives up on what is too complex', () => {
    assert.equal(compileRegexp('(a|aa)*b')('a'.repeat(20_000)), false);
    assert.equal(compileRegexp('((a*)*)*b')('a'.repeat(20_000)), false);
    for (const pattern of TOO_COMPLEX)
      assert.throws(
        () => compileRegexp(pattern),
        { code: 'query_too_complex', message: /too complex.*125000 steps/ },
        pattern,
      );
    for (const pattern of COMPLEX) compileRegexp(pattern);
  });
});

describe('toRe2', () => {
  it('means the same', () => {
    for (const [pattern, matching, others] of CASES) {
      const text = toRe2(pattern);
      if (text === undefined) continue;
      // RE2's syntax for code points and flags, in JavaScript's.
      const expression = new RegExp(`^(?:${text.replaceAll('\\x{', '\\u{').replaceAll('(?s:', '(?:')})$`, 'su');
      for (const value of matching) assert.match(value, expression, pattern);
      for (const value of others) assert.doesNotMatch(value, expression, pattern);
    }
  });

  it('has no answer for what RE2 does not know', () => {
    for (const pattern of ['~a', 'a&b', '<1-9>', 'a{1001}', '(a{100}){100}', '['])
      assert.equal(toRe2(pattern), undefined, pattern);
    assert.notEqual(toRe2('a{1000}'), undefined);
  });
});
