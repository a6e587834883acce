import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asciiDomain } from './domain-name.ts';

describe('asciiDomain', () => {
  for (const [name, ascii] of [
    ['Example.ORG', 'example.org'],
    ['example.org.', 'example.org'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['bücher。example.', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['ΟΔΟΣ.example', 'xn--pxavbq.example'],
    ['οδοσ.example', 'xn--pxavbq.example'],
    ['_dmarc.example.org', '_dmarc.example.org'],
    ['localhost', 'localhost'],
    ['x'.repeat(253), 'x'.repeat(253)],
    [`${'x'.repeat(253)}.`, 'x'.repeat(253)],
    ['x'.repeat(254), undefined],
    ['ü'.repeat(250), undefined],
    ['', undefined],
    ['.', undefined],
  ] as const) {
    it(`is ${ascii?.slice(0, 30)} for ${name.slice(0, 30)}`, () => assert.equal(asciiDomain(name), ascii));
  }

  it('reads no shorter name from an international one with characters of other parts of a URL', () => {
    for (const text of ['ü.example/x', 'ü.example?x', 'ü.example#x', 'ü.example:80', 'u@ü.example', '%61ü.example']) {
      assert.equal(asciiDomain(text), undefined, text);
    }
    for (const text of ['ü\t.example', 'ü\n.example', 'ü .example', 'ü\\.example', '[ü.example]']) {
      assert.equal(asciiDomain(text), undefined, JSON.stringify(text));
    }
  });
});
