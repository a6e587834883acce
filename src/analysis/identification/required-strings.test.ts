import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requiredStrings } from './required-strings.ts';

const CASES: readonly (readonly [pattern: string, required: readonly string[] | undefined])[] = [
  ['^import.*;$', ['import']],
  ['^(import|export).* from ', ['import', 'export']],
  ['^(const|var|let).*=.*require\\(', ['require(']],
  ['\\(;.*GM\\[[0-9]{1,2}\\]', ['GM[']],
  ['^[ \\t]{0,50}\\.text', ['.text']],
  ['\\((async )?function[( ]', ['function']],
  ['ab*cde?f', ['cd']],
  ['a(bcd)*e', ['a']],
  ['a(bcd)+e', ['bcd']],
  ['a(bcd|e)+', ['a']],
  ['abc{0,3}', ['ab']],
  ['abc{2}', ['abc']],
  ['(ab|[0-9])', undefined],
  ['abc|', undefined],
  ['[]ab]cd', ['cd']],
  ['[^]ab]cd', ['cd']],
  ['[[:space:]]x', ['x']],
  ['.*', undefined],
  // What is not understood requires nothing.
  ['(abc', undefined],
  ['abc)', undefined],
  ['[abc', undefined],
  ['abc\\', undefined],
  ['abc\\w', undefined],
];

describe('requiredStrings', () => {
  for (const [pattern, required] of CASES) {
    it(`reads ${JSON.stringify(pattern)}`, () => assert.deepEqual(requiredStrings(pattern), required));
  }

  it('never misses a match', () => {
    const words = ['ab', 'abc', 'b', 'c(', 'x', ' '];
    let seed = 7;
    const next = (limit: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % limit;
    };
    for (let round = 0; round < 3000; round++) {
      const element = () => ['a', 'b', 'c\\(', '[ab]', '.', '(ab|c\\()', '(b)?', 'x*', '(ab|)', ' +'][next(10)];
      const pattern = Array.from({ length: 1 + next(4) }, element).join(next(5) === 0 ? '|' : '');
      const text = Array.from({ length: next(6) }, () => words[next(words.length)]).join('');
      const required = requiredStrings(pattern);
      if (required === undefined || !new RegExp(pattern).test(text)) continue;
      assert.ok(
        required.some((one) => text.includes(one)),
        `${pattern} matches ${text}`,
      );
    }
  });
});
