import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { PreparedJson, sortedJson } from './sorted-json.ts';

describe('sortedJson', () => {
  it('returns the output of JSON.stringify for every value', () => {
    fastCheck.assert(
      fastCheck.property(fastCheck.jsonValue(), (value) => {
        assert.deepEqual(JSON.parse(sortedJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('puts the keys of every object in order, also of large ones', () => {
    assert.equal(sortedJson({ b: [{ d: 1, c: 2 }], a: { z: 0, y: 0 } }), '{"a":{"y":0,"z":0},"b":[{"c":2,"d":1}]}');
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${99 - index}`, index]));
    assert.deepEqual(Object.keys(JSON.parse(sortedJson(many))), Object.keys(many).sort());
  });

  it('orders keys of digits as texts too, and keeps what was written already', () => {
    assert.equal(sortedJson({ b: { 10: 1, 9: 2, a: 3 }, a: 0 }), '{"a":0,"b":{"10":1,"9":2,"a":3}}');
    const hashes = ['0123456789', '12345678901', '1e9', '7', '10', '4294967295', '4294967294'];
    const text = sortedJson(Object.fromEntries(hashes.map((key) => [key, 0])));
    assert.equal(
      text,
      `{${hashes
        .toSorted()
        .map((key) => `"${key}":0`)
        .join(',')}}`,
    );
    assert.equal(sortedJson({ b: [new PreparedJson({ y: 1, x: 2 })], a: 0 }), '{"a":0,"b":[{"x":2,"y":1}]}');
  });

  it('changes nothing of the value, and orders what lies in something that is in order', () => {
    const value = { a: [{ c: 1, b: { 2: 0, 1: 0 } }], b: { y: [1, { e: 0, d: 0 }], z: 0 } };
    const before = JSON.stringify(value);
    assert.equal(sortedJson(value), '{"a":[{"b":{"1":0,"2":0},"c":1}],"b":{"y":[1,{"d":0,"e":0}],"z":0}}');
    assert.equal(JSON.stringify(value), before);
    assert.equal(sortedJson({ z: { b: 0, a: 0 }, '10': 0, '9': 0 }), '{"10":0,"9":0,"z":{"a":0,"b":0}}');
  });

  it('leaves out what is undefined, writes null for it in lists, and for numbers that are none', () => {
    assert.equal(
      sortedJson({ a: undefined, b: [undefined, Number.NaN, Number.POSITIVE_INFINITY] }),
      '{"b":[null,null,null]}',
    );
    assert.equal(sortedJson(undefined), 'null');
  });

  it('writes dates as JSON does, and large integers as numbers', () => {
    assert.equal(
      sortedJson({ at: new Date(0), size: 9007199254740993n }),
      '{"at":"1970-01-01T00:00:00.000Z","size":9007199254740993}',
    );
  });

  it('escapes what has to be, lone surrogates included', () => {
    assert.equal(sortedJson('a"\\\n\u2028\ud800'), JSON.stringify('a"\\\n\u2028\ud800'));
  });

  it('keeps a key __proto__ as a key', () => {
    assert.equal(sortedJson(JSON.parse('{"__proto__":1}')), '{"__proto__":1}');
  });
});
