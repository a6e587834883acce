import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLossless, stringifyLossless } from './lossless-json.ts';

describe('parseLossless', () => {
  it('keeps whole numbers that a number cannot hold, wherever they stand', () => {
    assert.deepEqual(parseLossless('{"a":9007199254740993,"b":[1, -9223372036854775808],"c":18446744073709551615}'), {
      a: 9007199254740993n,
      b: [1, -9223372036854775808n],
      c: 18446744073709551615n,
    });
  });

  it('leaves numbers that fit, fractions and texts as they are', () => {
    const text = '{"a":9007199254740991,"b":1.2345678901234567E18,"c":"1:9007199254740993","d":12345678901234567.5}';
    assert.deepEqual(parseLossless(text), {
      a: 9007199254740991,
      b: 1.2345678901234568e18,
      c: '1:9007199254740993',
      d: 12345678901234568,
    });
  });
});

describe('stringifyLossless', () => {
  it('writes bigint as a number', () => {
    assert.equal(stringifyLossless({ a: [9007199254740993n], b: 'x' }), '{"a":[9007199254740993],"b":"x"}');
    assert.equal(stringifyLossless({ a: 1 }), '{"a":1}');
  });

  it('writes large whole numbers in all their digits', () => {
    assert.equal(stringifyLossless({ a: 2 ** 62, b: [1e21, 0.1] }), '{"a":4611686018427387904,"b":[1e+21,0.1]}');
    assert.equal(stringifyLossless({ a: -(2 ** 63), b: 1n }), '{"a":-9223372036854775808,"b":1}');
  });

  it('still refuses what is no JSON', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    assert.throws(() => stringifyLossless(circle), TypeError);
  });
});
