import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type AnalysedKind, analyse, analyseValues, VALUE_GAP } from './analysis.ts';

/** Tokens that Lucene 9.12 produces. */
const WORDS: readonly (readonly [string, readonly string[]])[] = [
  ["Don't panic, C++ and AT&T", ["don't", 'panic', 'c', 'and', 'at', 't']],
  ['evil.example 1,000.50 snake_case wi-fi', ['evil.example', '1,000.50', 'snake_case', 'wi', 'fi']],
  ['malware:beacon 2001:db8::1', ['malware:beacon', '2001', 'db8', '1']],
  ['foo.bar@example.com/path?x=1', ['foo.bar', 'example.com', 'path', 'x', '1']],
  ['数据 カタカナ ひら 한국어', ['数', '据', 'カタカナ', 'ひ', 'ら', '한국어']],
  ['ไทยภาษา עברית צה"ל', ['ไทยภาษา', 'עברית', 'צה"ל']],
  ['🔥🚨 👨‍👩‍👧 🇨🇦 1️⃣ ★', ['🔥', '🚨', '👨‍👩‍👧', '🇨🇦', '1️⃣', '★']],
  ['ｆｕｌｌ１２３ Ⓜ', ['ｆｕｌｌ１２３', 'ⓜ']],
  ['__ _a_ ...', ['_a_']],
  ['soft\u00adhyphen zero\u200bwidth', ['soft\u00adhyphen', 'zero', 'width']],
];

describe('analyse', () => {
  for (const [text, expected] of WORDS) {
    it(`splits ${text}`, () => assert.deepEqual(texts('text', text), expected));
  }

  it('cuts words after 255 units', () => {
    assert.deepEqual(
      texts('text', 'w'.repeat(300)).map((token) => token.length),
      [255, 45],
    );
    assert.deepEqual(texts('text', '😀'.repeat(3)).length, 3);
  });

  it('splits ssdeep hashes on colons and keeps their case', () => {
    assert.deepEqual(texts('ssdeep', '3072:Ab12 : Cd'), ['3072', 'Ab12', 'Cd']);
    assert.deepEqual(texts('ssdeep', '::'), []);
  });

  it('numbers the tokens', () => {
    assert.deepEqual(analyse('text', 'quick, brown'), [
      { text: 'quick', position: 0 },
      { text: 'brown', position: 1 },
    ]);
  });

  it('leaves a gap between the values of a field, empty ones too', () => {
    const positions = analyseValues('text', ['one two', '', 'three']).map((token) => token.position);
    assert.deepEqual(positions, [0, 1, 2 * VALUE_GAP + 2]);
  });

  it('takes only pieces of the text, in order, and takes every ASCII letter and digit', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('_', "'", '.', '🔥', '\u200d', 'א"', '\uff9e')),
        ),
        (parts) => {
          const text = parts.join('').toLowerCase();
          let from = 0;
          for (const token of texts('text', text)) {
            const at = text.indexOf(token, from);
            assert.ok(token !== '' && at >= from && token.length <= 255);
            assert.doesNotMatch(text.slice(from, at), /[a-z0-9]/);
            from = at + token.length;
          }
          assert.doesNotMatch(text.slice(from), /[a-z0-9]/);
        },
      ),
    );
  });

  it('finds the same words again in each of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const token of texts('text', text)) assert.deepEqual(texts('text', token), [token]);
      }),
    );
  });

  it('takes time in proportion to the length, regardless of the text', () => {
    for (const piece of [
      '_',
      'a',
      `${'_'.repeat(254)}!`,
      "a'",
      '\u200d',
      `${'\u200d'.repeat(254)}a`,
      '_\u0301',
      '1,',
    ]) {
      const started = performance.now();
      texts('text', piece.repeat(500_000 / piece.length));
      assert.ok(performance.now() - started < 20_000, `${piece.slice(0, 5)} took too long`);
    }
  });
});

function texts(kind: AnalysedKind, text: string): readonly string[] {
  return analyse(kind, text).map((token) => token.text);
}
