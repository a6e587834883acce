import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exactInteger, parseJson } from './lossless-json.ts';

describe('parseJson', () => {
  it('keeps integers that a number rounds, wherever they stand', () => {
    assert.deepEqual(parseJson('{"a":9007199254740993,"b":[1, -9223372036854775808],"c":18446744073709551615}'), {
      a: 9007199254740993n,
      b: [1, -9223372036854775808n],
      c: 18446744073709551615n,
    });
    assert.equal(parseJson(' -9007199254740993'), -9007199254740993n);
    assert.equal(parseJson('9007199254740993'), 9007199254740993n);
    assert.deepEqual(parseJson('[ 9007199254740992 ]'), [9007199254740992n]);
  });

  it('leaves numbers that fit, fractions, exponents and strings as they are', () => {
    const text = '{"a":9007199254740991,"b":1.2345678901234567E18,"c":"1:9007199254740993","d":12345678901234567.5}';
    assert.deepEqual(parseJson(text), {
      a: 9007199254740991,
      b: 1.2345678901234568e18,
      c: '1:9007199254740993',
      d: 12345678901234568,
    });
  });

  it('leaves digits in strings and names alone', () => {
    const given = { 'a,1234567890123456789,': ':1234567890123456789,', 'b\\"': '[1234567890123456789]\\\\', c: '"' };
    const text = JSON.stringify({ ...given, list: [{ d: 1 }] }).replace('"d":1', '"d":-1234567890123456789');
    assert.deepEqual(parseJson(text), { ...given, list: [{ d: -1234567890123456789n }] });
  });

  it('reads many numbers beside a large one in the time of many numbers', () => {
    const text = `[12345678901234567${',1'.repeat(1_000_000)}]`;
    const { user } = process.cpuUsage();
    const [first] = parseJson(text) as unknown[];
    assert.equal(first, 12345678901234567n);
    assert.ok(process.cpuUsage().user - user < 600_000, 'the reviver took 850 ms');
  });

  it('does not convert more digits than the public system', () => {
    assert.equal(parseJson(`[${'9'.repeat(4300)}]`)?.toString(), '9'.repeat(4300));
    assert.deepEqual(parseJson(`[${'9'.repeat(4301)}]`), [Number.POSITIVE_INFINITY]);
  });

  it('still rejects what is no JSON', () => {
    assert.throws(() => parseJson('{"a":9007199254740993,}'), SyntaxError);
    assert.throws(() => parseJson('{"a":0009007199254740993}'), SyntaxError);
  });
});

describe('JSON.stringify', () => {
  it('writes bigint with all its digits', () => {
    assert.equal(JSON.stringify({ a: [9007199254740993n, -1n], b: 'x' }), '{"a":[9007199254740993,-1],"b":"x"}');
  });
});

describe('exactInteger', () => {
  it('is a number up to 2^53 - 1 and a bigint beyond', () => {
    assert.equal(exactInteger(9007199254740991n), 9007199254740991);
    assert.equal(exactInteger(9007199254740992n), 9007199254740992n);
    assert.equal(exactInteger(-9007199254740991n), -9007199254740991);
    assert.equal(exactInteger(-9007199254740992n), -9007199254740992n);
  });
});
