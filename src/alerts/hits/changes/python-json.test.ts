import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pythonJson } from './python-json.ts';

describe('pythonJson', () => {
  it('separates with a space and keeps the order of keys', () => {
    assert.equal(pythonJson({ b: 1, a: [1, 2, true, null] }), '{"b": 1, "a": [1, 2, true, null]}');
  });

  it('sorts keys at every depth when asked', () => {
    assert.equal(pythonJson({ b: { d: 1, c: 2 }, a: {} }, { sortKeys: true }), '{"a": {}, "b": {"c": 2, "d": 1}}');
  });

  it('sorts keys by code point, not by UTF-16 unit', () => {
    assert.equal(
      pythonJson({ '\u{1F600}': 1, '\uFF5E': 2 }, { sortKeys: true }),
      '{"\\uff5e": 2, "\\ud83d\\ude00": 1}',
    );
  });

  it('escapes everything outside ASCII, and DEL not', () => {
    assert.equal(pythonJson('é "\\\n\u0001\u007f漢😀'), '"\\u00e9 \\"\\\\\\n\\u0001\u007f\\u6f22\\ud83d\\ude00"');
  });

  it('writes numbers as Python does', () => {
    assert.deepEqual(
      [1, -0.5, 1e15, 0.0001, 0.00001, 1.5e-7, 123456.789].map((value) => pythonJson(value)),
      ['1', '-0.5', '1000000000000000', '0.0001', '1e-05', '1.5e-07', '123456.789'],
    );
  });
});
