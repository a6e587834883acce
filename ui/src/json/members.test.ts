import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memberOf, plainString, stringMember, valueAt } from './members.ts';

describe('a member', () => {
  it('is one of the object itself', () => {
    assert.equal(memberOf({ a: 1 }, 'a'), 1);
    for (const name of ['constructor', '__proto__', 'toString']) assert.equal(memberOf({}, name), undefined);
    assert.equal(memberOf({ run: () => 1 }, 'run'), undefined);
    for (const value of [undefined, null, 1, true]) assert.equal(memberOf(value, 'a'), undefined);
    assert.equal(memberOf('four', 'length'), 4);
    assert.equal(memberOf('four', '0'), undefined);
  });

  it('is a string where it can be one', () => {
    const record = { name: 'n', count: 0, list: ['a'], none: null };
    assert.equal(stringMember(record, 'name'), 'n');
    assert.equal(stringMember(record, 'count'), '0');
    for (const name of ['list', 'none', 'missing']) assert.equal(stringMember(record, name), '');
  });
});

describe('the value at a path', () => {
  it('is found in objects, in lists and below keys with dots at any depth', () => {
    const record = { a: { b: { c: 1 } }, 'd.e': 2, f: { 'g.h': 3 }, list: [{ name: 'first' }] };
    assert.equal(valueAt(record, 'a.b.c'), 1);
    assert.deepEqual(valueAt(record, 'a.b'), { c: 1 });
    assert.equal(valueAt(record, 'd.e'), 2);
    assert.equal(valueAt(record, 'f.g.h'), 3);
    assert.equal(valueAt(record, 'list[0].name'), 'first');
    assert.equal(valueAt(record, 'list.0.name'), 'first');
    assert.equal(valueAt({ name: 'four' }, 'name.length'), 4);
  });

  it('is undefined where there is none', () => {
    for (const path of ['x', 'a.x', 'a.b.c.d', 'constructor.name', '__proto__.x']) {
      assert.equal(valueAt({ a: { b: { c: 1 } } }, path), undefined);
    }
    assert.equal(valueAt(null, 'a'), undefined);
    assert.equal(valueAt({ a: null }, 'a'), null);
  });

  it('is not looked for beyond any depth', () => {
    assert.equal(valueAt({}, Array.from({ length: 100_000 }, () => 'a').join('.')), undefined);
  });
});

describe('a plain string', () => {
  it('shows values of every kind', () => {
    assert.deepEqual([null, undefined, 'a', 0, false, ['a', 1], { a: 1 }].map(plainString), [
      '',
      '',
      'a',
      '0',
      'false',
      '["a",1]',
      '{"a":1}',
    ]);
  });
});
