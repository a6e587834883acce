import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { analyseValues } from '../../query-language/analysis.ts';
import { joinTokens, splitTokens, TOKEN_SEPARATOR } from './token-text.ts';

describe('the tokens of a text field in one string', () => {
  it('come back with their positions, regardless of what they hold', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ':', '\u0001', '\u0002', '\u0003', 'é', '😀') });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.constantFrom('text' as const, 'ssdeep' as const),
        (values, kind) => {
          const tokens = analyseValues(kind, values);
          assert.deepEqual(splitTokens(joinTokens(tokens)), tokens);
        },
      ),
    );
  });

  it('stand side by side only within one value', () => {
    const joined = joinTokens(analyseValues('text', ['big fox', 'dog']));
    assert.ok(joined.includes(`${TOKEN_SEPARATOR}big${TOKEN_SEPARATOR}fox${TOKEN_SEPARATOR}`));
    assert.ok(!joined.includes(`fox${TOKEN_SEPARATOR}dog`));
  });
});
