import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSameStored, isSameValue } from './equality.ts';

describe('isSameValue', () => {
  it('compares arrays and objects by content', () => {
    assert.ok(isSameValue({ a: [1, { b: 'c' }], d: undefined }, { d: undefined, a: [1, { b: 'c' }] }));
    assert.ok(isSameValue(Number.NaN, Number.NaN));
  });

  for (const [one, other] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [null, {}],
    ['1', 1],
  ]) {
    it(`tells ${JSON.stringify(one)} from ${JSON.stringify(other)}`, () => {
      assert.equal(isSameValue(one, other), false);
    });
  }
});

describe('isSameStored', () => {
  it('takes absent, null and empty values for the same', () => {
    const empty = [undefined, null, '', []];
    for (const one of empty) for (const other of empty) assert.ok(isSameStored(one, other));
    assert.ok(isSameStored({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(isSameStored([{ value: 'a', mappings: [] }], [{ value: 'a' }]), 'at any depth');
    assert.ok(isSameStored({ group: '' }, null));
    assert.ok(isSameStored({ b: 'x', a: [1] }, { a: [1], b: 'x' }), 'in any order of the members');
  });

  it('tells other values apart', () => {
    for (const [one, other] of [
      [0, null],
      [false, ''],
      [['a'], []],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [{ a: 1 }, { a: 2 }],
    ]) {
      assert.equal(isSameStored(one, other), false, JSON.stringify([one, other]));
    }
  });
});
