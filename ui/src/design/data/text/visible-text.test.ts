import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { visibleText } from './visible-text.ts';

const marks = (value: string, lines = false) =>
  visibleText(value, { lines }).segments.flatMap((segment) =>
    segment.kind === 'text' ? [] : [`${segment.kind} ${segment.code} ${segment.count}`],
  );

describe('visible text', () => {
  it('leaves what people write alone', () => {
    for (const value of [
      'powershell.exe',
      'Été à Québec',
      'сообщение.docx',
      'Ελληνικά',
      '日本語',
      'naïve',
      '👩‍💻 ❤️',
      'é',
    ]) {
      assert.deepEqual(marks(value), [], value);
    }
  });

  it('marks what no one can see', () => {
    const cases: [string, string][] = [
      ['invoice\u202efdp.exe', 'direction U+202E 1'],
      ['a\u2066b', 'direction U+2066 1'],
      ['pay\u200bpal', 'invisible U+200B 1'],
      ['a\u00adb', 'invisible U+00AD 1'],
      ['\ufeffa', 'invisible U+FEFF 1'],
      ['a\u00a0b', 'space U+00A0 1'],
      ['a\u3164b', 'space U+3164 1'],
      ['a\u0000b', 'control U+0000 1'],
      ['\u001b[31m', 'control U+001B 1'],
      ['a\u0085b', 'control U+0085 1'],
      ['a\u{e0041}b', 'invisible U+E0041 1'],
      ['a\ud800b', 'broken U+D800 1'],
      ['a\u2028b', 'invisible U+2028 1'],
    ];
    for (const [value, mark] of cases) assert.deepEqual(marks(value), [mark]);
  });

  it('marks letters that pass for Latin ones', () => {
    assert.deepEqual(marks('pаypal.com'), ['confusable U+0430 1']);
    assert.deepEqual(marks('раур.com').length, 4);
    assert.deepEqual(marks('ｇoogle.com'), ['confusable U+FF47 1']);
    assert.deepEqual(marks('google。com'), ['confusable U+3002 1']);
    assert.deepEqual(marks('a∕b'), ['confusable U+2215 1']);
  });

  it('draws line ends and tabs only where there are lines', () => {
    assert.deepEqual(marks('a\n\tb'), ['control U+000A 1', 'control U+0009 1']);
    assert.deepEqual(marks('a\n\tb', true), []);
    assert.deepEqual(marks('a\rb', true), ['control U+000D 1']);
  });

  it('counts runs, and piles of accents', () => {
    assert.deepEqual(marks(`a${'\u200b'.repeat(300)}b`), ['invisible U+200B 300']);
    assert.deepEqual(marks(`a${'\u0301\u0302'.repeat(20)}b`), ['stacked U+0302 37']);
  });

  it('cuts at a length and never inside a character', () => {
    const cut = visibleText('abc😀def', { limit: 4 });
    assert.deepEqual(cut, { segments: [{ kind: 'text', text: 'abc' }], hidden: 5 });
    assert.equal(visibleText('x'.repeat(5_000_000)).hidden, 4_999_500);
  });

  it('keeps every character', () => {
    const value = 'a\u202e\u202eb\u200bcр\u0301\u0301\u0301\u0301d\ud83d\n';
    assert.equal(
      visibleText(value)
        .segments.map(({ text }) => text)
        .join(''),
      value,
    );
  });
});
