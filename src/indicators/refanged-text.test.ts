import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refangAddress, refangText } from './refanged-text.ts';

describe('refangText', () => {
  it('writes the forms of reports as programs do', () => {
    for (const [given, plain] of [
      ['hxxps://evil[.]example/a', 'https://evil.example/a'],
      ['h**p://evil(dot)example', 'http://evil.example'],
      ['fxp[:]//evil [dot] example', 'ftp://evil . example'],
      ['ann[at]evil{.}example', 'ann@evil.example'],
      ['evil\\.example and evil[.example', 'evil.example and evil.example'],
      ['no hxxp, no {:} and no {/}', 'no hxxp, no {:} and no {/}'],
    ] as const) {
      assert.equal(refangText(given).text, plain);
    }
  });

  it('knows places of the original and where it had such a form', () => {
    const original = 'see hxxp://a[.]b now';
    const { text, originalPlace, isDefanged } = refangText(original);
    assert.equal(text, 'see http://a.b now');
    const [start, end] = [text.indexOf('a.b'), text.indexOf('a.b') + 3];
    assert.equal(original.slice(originalPlace(start), originalPlace(end)), 'a[.]b');
    assert.deepEqual([isDefanged(start, end), isDefanged(end, text.length)], [true, false]);
  });
});

describe('refangAddress', () => {
  it('writes an address as programs do', () => {
    for (const [given, plain] of [
      ['hxxps://golden[.]example/r', 'https://golden.example/r'],
      ['hxp://a(dot)b{.}c', 'http://a.b.c'],
      ['fxps[:]//a\\.b[/]c', 'ftps://a.b/c'],
      ['http[:]//a', 'http://a'],
      ['http[://]a', 'http://a'],
      ['https://golden.example/?hxxp://x', 'https://golden.example/?hxxp://x'],
    ] as const) {
      assert.equal(refangAddress(given), plain);
    }
  });
});
