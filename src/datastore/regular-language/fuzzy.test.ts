import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bestFuzzyTerms, compileFuzzy, fuzzySimilarity } from './fuzzy.ts';

describe('compileFuzzy', () => {
  it('counts a swap of neighbours as one edit and code points as characters', () => {
    assert.ok(compileFuzzy('alcie', 1)('alice'));
    assert.ok(!compileFuzzy('ca', 2)('abc'), 'no part is edited twice');
    assert.ok(compileFuzzy('😀a', 1)('a'));
    assert.ok(!compileFuzzy('alice', 1)('bob'));
  });

  it('finds everything that one edit makes, in both directions', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(
        word,
        fc.nat(6),
        fc.constantFrom('x', '😀'),
        fc.constantFrom('insert', 'remove', 'replace', 'swap'),
        (text, at, letter, edit) => {
          const characters = [...text];
          const place = Math.min(at, characters.length);
          if (edit === 'insert') characters.splice(place, 0, letter);
          else if (edit === 'remove') characters.splice(place, 1);
          else if (edit === 'replace') characters.splice(place, 1, letter);
          else characters.splice(place, 2, ...characters.slice(place, place + 2).reverse());
          const changed = characters.join('');
          assert.ok(compileFuzzy(text, 1)(changed));
          assert.ok(compileFuzzy(changed, 1)(text));
        },
      ),
    );
  });
});

describe('bestFuzzyTerms', () => {
  it('takes the most similar terms, equally similar ones in the order of their bytes', () => {
    const fuzzy = { value: 'abcd', maxEdits: 2 };
    const terms = ['xbcy', '\uffeebcd', '😀bcd', 'abcd', 'abc', 'abcde', 'zzzz'];
    // One edit of three letters is less similar than one of four; U+FFEE comes before the emoji in bytes, not in UTF-16.
    assert.deepEqual(bestFuzzyTerms(fuzzy, terms, 4), ['abcd', 'abcde', '\uffeebcd', '😀bcd']);
    const similarities = ['abcd', 'abcde', 'abc', 'xbcy', 'zzzz'].map((term) => fuzzySimilarity(fuzzy, term));
    assert.deepEqual(similarities, [1, 0.75, 1 - 1 / 3, 0.5, 0]);
  });
});
