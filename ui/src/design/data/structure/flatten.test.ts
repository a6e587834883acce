import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flatten } from './flatten.ts';

describe('flatten', () => {
  it('gives the leaves in the order of their names', () => {
    const record = {
      b: { c: 1, a: ['x', 'y'] },
      a: true,
      empty: null,
      none: [],
      blank: '',
      list: [{ k: 1 }, { k: 2, l: 0 }],
    };
    assert.deepEqual(flatten(record), {
      fields: [
        { field: 'a', value: true },
        { field: 'b.a', value: ['x', 'y'] },
        { field: 'b.c', value: 1 },
        { field: 'list.k', value: [1, 2] },
        { field: 'list.l', value: [0] },
      ],
      isCut: false,
    });
  });

  it('stops at its limits and says so', () => {
    const many = Object.fromEntries(Array.from({ length: 901 }, (_, index) => [`f${index}`, index]));
    assert.equal(flatten(many).fields.length, 900);
    assert.equal(flatten(many).isCut, true);
    const { f0: _f0, ...fewer } = many;
    assert.equal(flatten(fewer).isCut, false);
    assert.equal(flatten({ a: 'x'.repeat(3_000_000), b: 'x'.repeat(3_000_000) }).isCut, true);
    assert.equal(flatten({ a: 'x'.repeat(3_000_000) }).isCut, false);
  });

  it('ends in a record that holds itself, and in a deep one', () => {
    const cyclic: Record<string, unknown> = { a: 1 };
    cyclic.self = cyclic;
    assert.equal(flatten(cyclic).isCut, true);
    const wide: Record<string, unknown> = { list: Array.from({ length: 100_000 }, () => ({ a: { b: [1] } })) };
    assert.equal(flatten(wide).fields.length, 1);
  });

  it('takes names of Object.prototype for names', () => {
    assert.deepEqual(flatten(JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')).fields, [
      { field: '__proto__.x', value: 1 },
      { field: 'constructor', value: 2 },
    ]);
  });
});
