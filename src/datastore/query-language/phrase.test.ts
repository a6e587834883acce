import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { analyse, analyseValues } from './analysis.ts';
import { matchesPhrase } from './phrase.ts';

const found = (text: string, phrase: string, slop: number): boolean =>
  matchesPhrase(analyse('text', text), words(phrase), slop);
const words = (text: string): string[] => analyse('text', text).map((token) => token.text);

describe('matchesPhrase', () => {
  it('finds words side by side and in order', () => {
    assert.ok(found('the quick brown fox', 'quick brown', 0));
    assert.ok(!found('the quick brown fox', 'brown quick', 0));
    assert.ok(!found('the quick brown fox', 'quick fox', 0));
  });

  it('counts the moves that bring the words together', () => {
    assert.ok(found('quick brown fox', 'quick fox', 1));
    assert.ok(!found('quick brown fox', 'brown quick', 1));
    assert.ok(found('quick brown fox', 'brown quick', 2));
    assert.ok(found('quick brown fox', 'fox quick', 3));
  });

  it('wants a place of its own for each of equal words', () => {
    assert.ok(!found('alpha beta', 'alpha alpha', 10));
    assert.ok(found('alpha beta alpha', 'alpha alpha', 1));
  });

  it('does not run across values', () => {
    const tokens = analyseValues('text', ['red alert', 'blue team']);
    assert.ok(!matchesPhrase(tokens, words('alert blue'), 99));
    assert.ok(matchesPhrase(tokens, words('alert blue'), 100));
  });

  it('agrees with trying all places', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
        fc.nat(5),
        (text, phrase, slop) => {
          assert.equal(found(text.join(' '), phrase.join(' '), slop), exhaustive(text, phrase, slop));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is quick for one word many times', () => {
    assert.ok(!found('a '.repeat(3000), `${'a '.repeat(3000)}b`, 10));
    assert.ok(found('a '.repeat(2000), 'a '.repeat(1000), 10));
  });
});

function exhaustive(
  text: readonly string[],
  phrase: readonly string[],
  slop: number,
  places: readonly number[] = [],
): boolean {
  if (places.length === phrase.length) {
    const shifted = places.map((place, index) => place - index);
    return Math.max(...shifted) - Math.min(...shifted) <= slop;
  }
  return text.some(
    (word, at) =>
      word === phrase[places.length] && !places.includes(at) && exhaustive(text, phrase, slop, [...places, at]),
  );
}
