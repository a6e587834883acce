import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UpdateOperation } from '../port/update-operations.ts';
import { applyOperations } from './apply-operations.ts';

describe('applyOperations', () => {
  it('leaves the values of the operations as they are', () => {
    const operations: UpdateOperation[] = [
      { op: 'set', path: 'list', value: ['a'] },
      { op: 'append', path: 'list', value: 'b' },
      { op: 'set', path: 'object', value: {} },
      { op: 'set', path: 'object.name', value: 1 },
    ];
    for (let round = 0; round < 2; round += 1) {
      const document = {};
      applyOperations(document, operations);
      assert.deepEqual(document, { list: ['a', 'b'], object: { name: 1 } });
    }
  });

  const cases: readonly [string, object, UpdateOperation, object][] = [
    ['makes missing parents', {}, { op: 'set', path: 'a.b.c', value: 1 }, { a: { b: { c: 1 } } }],
    ['puts an object in the place of null', { a: null }, { op: 'set', path: 'a.b', value: 1 }, { a: { b: 1 } }],
    [
      'keeps free keys that look like built-in ones',
      {},
      { op: 'set', path: '__proto__', value: 1 },
      JSON.parse('{"__proto__": 1}'),
    ],
    ['copies a value that is there', { a: [1] }, { op: 'set_from', path: 'b', from: 'a' }, { a: [1], b: [1] }],
    ['copies nothing from nothing', { a: null }, { op: 'set_from', path: 'b', from: 'a' }, { a: null }],
    ['counts from nothing', {}, { op: 'increment', path: 'n', by: -2 }, { n: -2 }],
    ['keeps the larger', { n: 5 }, { op: 'max', path: 'n', value: 3 }, { n: 5 }],
    ['takes the smaller text', { at: '2026-02' }, { op: 'min', path: 'at', value: '2026-01' }, { at: '2026-01' }],
    ['takes a bare value for a list of one', { t: 'a' }, { op: 'append', path: 't', value: 'b' }, { t: ['a', 'b'] }],
    ['prepends', { t: ['a'] }, { op: 'prepend', path: 't', value: 'b' }, { t: ['b', 'a'] }],
    [
      'compares objects by value',
      { t: [{ a: 1 }] },
      { op: 'append_missing', path: 't', value: { a: 1 } },
      { t: [{ a: 1 }] },
    ],
    ['removes the first equal item', { t: [1, 2, 1] }, { op: 'remove', path: 't', value: 1 }, { t: [2, 1] }],
    ['removes an item by its place', { t: [1, 2] }, { op: 'remove_at', path: 't', key: 0 }, { t: [2] }],
    ['removes a key', { t: { a: 1, b: 2 } }, { op: 'remove_at', path: 't', key: 'a' }, { t: { b: 2 } }],
    ['leaves a list alone that has no such place', { t: [1] }, { op: 'remove_at', path: 't', key: 7 }, { t: [1] }],
    ['removes a property', { a: { b: 1 } }, { op: 'unset', path: 'a.b' }, { a: {} }],
  ];
  for (const [title, before, operation, after] of cases) {
    it(title, () => {
      const document = structuredClone(before) as Record<string, unknown>;
      const changed = applyOperations(document, [operation]);
      assert.deepEqual(document, after);
      assert.equal(changed, JSON.stringify(before) !== JSON.stringify(after));
    });
  }

  it('applies them in order', () => {
    const document = {};
    applyOperations(document, [
      { op: 'increment', path: 'n', by: 1 },
      { op: 'max', path: 'n', value: 7 },
      { op: 'set_from', path: 'm', from: 'n' },
    ]);
    assert.deepEqual(document, { n: 7, m: 7 });
  });

  it('refuses, with the path, what does not fit the document', () => {
    const refused = { code: 'invalid_update' };
    assert.throws(() => applyOperations({ n: 'x' }, [{ op: 'increment', path: 'n', by: 1 }]), { ...refused, at: 'n' });
    assert.throws(() => applyOperations({ a: [1] }, [{ op: 'set', path: 'a.b', value: 1 }]), { ...refused, at: 'a.b' });
    assert.throws(() => applyOperations({ t: {} }, [{ op: 'append', path: 't', value: 1 }]), { ...refused, at: 't' });
    assert.throws(() => applyOperations({ n: 1 }, [{ op: 'max', path: 'n', value: 'x' }]), { ...refused, at: 'n' });
  });
});
