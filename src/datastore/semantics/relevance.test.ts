import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dampening, fuzzyFactors, keywordShare, phraseFactor, rarity } from './relevance.ts';

const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-6, `${value} is not ${wanted}`);

describe('relevance', () => {
  const field = { documents: 4, averageLength: 1 };

  it('of a term is its rarity, never negative', () => {
    near(rarity(field, 1) / 2.2, Math.log(1 + 3.5 / 1.5));
    near(rarity(field, 4) / 2.2, Math.log(1 + 0.5 / 4.5));
    assert.ok(rarity(field, 5) > 0, 'a count from another moment');
  });

  it('of a keyword alone in its field is the inverse document frequency', () => {
    near(rarity(field, 1) * keywordShare(field), Math.log(1 + 3.5 / 1.5));
    assert.ok(keywordShare({ documents: 4, averageLength: 3 }) > keywordShare(field));
    near(keywordShare({ documents: 0, averageLength: 0 }), keywordShare(field));
  });

  it('of similar terms has the rarity of the most frequent one', () => {
    const terms = [
      { documents: 3, similarity: 1 },
      { documents: 1, similarity: 0.5 },
    ];
    assert.deepEqual(fuzzyFactors(field, terms), [rarity(field, 3), rarity(field, 3) / 2]);
    near(phraseFactor(field, terms), rarity(field, 3) + rarity(field, 1));
  });

  it('of full text sinks with its length', () => {
    const { base, slope } = dampening({ documents: 4, averageLength: 10 });
    near(base + slope * 10, 1.2);
    assert.ok(slope > 0);
  });
});
