import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import type { UpdateOperation } from '../../port/update-operations.ts';
import { type DatastoreSubject, openForArea } from '../subject.ts';
import { EVERYTHING, found } from '../things.ts';

interface UpdateCase {
  readonly title: string;
  readonly before: StoredDocument;
  readonly operations: readonly UpdateOperation[];
  readonly after: StoredDocument;
}

const COMMENTS = [
  { user: 'a', stars: 1 },
  { user: 'b', stars: 2 },
];

const CASES: readonly UpdateCase[] = [
  {
    title: 'set replaces a value and leaves the rest',
    before: { name: 'old', port: 1 },
    operations: [{ op: 'set', path: 'name', value: 'new' }],
    after: { name: 'new', port: 1 },
  },
  {
    title: 'set creates missing and null parents',
    before: { owner: null },
    operations: [
      { op: 'set', path: 'owner.name', value: 'x' },
      { op: 'set', path: 'labels.deep', value: 'y' },
    ],
    after: { owner: { name: 'x' }, labels: { deep: 'y' } },
  },
  {
    title: 'set replaces objects and lists as a whole',
    before: { owner: { name: 'x', age: 1 }, tags: ['a'] },
    operations: [
      { op: 'set', path: 'owner', value: { age: 2 } },
      { op: 'set', path: 'tags', value: ['b', 'c'] },
    ],
    after: { owner: { age: 2 }, tags: ['b', 'c'] },
  },
  {
    title: 'set stores null, empty text, false and 0 as they are',
    before: { name: 'x', port: 1, active: true },
    operations: [
      { op: 'set', path: 'name', value: '' },
      { op: 'set', path: 'port', value: 0 },
      { op: 'set', path: 'active', value: false },
      { op: 'set', path: 'note', value: null },
    ],
    after: { name: '', port: 0, active: false, note: null },
  },
  {
    title: 'unset removes the property, and nothing where it is missing',
    before: { name: 'x', owner: { name: 'y', age: 1 } },
    operations: [
      { op: 'unset', path: 'name' },
      { op: 'unset', path: 'owner.age' },
      { op: 'unset', path: 'labels.none' },
    ],
    after: { owner: { name: 'y' } },
  },
  {
    title: 'set_from copies a value that is there',
    before: { name: 'x', owner: { age: 7 } },
    operations: [
      { op: 'set_from', path: 'owner.name', from: 'name' },
      { op: 'set_from', path: 'port', from: 'owner.age' },
    ],
    after: { name: 'x', owner: { age: 7, name: 'x' }, port: 7 },
  },
  {
    title: 'set_from leaves all as it is when the source is missing or null',
    before: { name: 'kept', note: null },
    operations: [
      { op: 'set_from', path: 'name', from: 'note' },
      { op: 'set_from', path: 'name', from: 'owner.name' },
    ],
    after: { name: 'kept', note: null },
  },
  {
    title: 'increment adds and subtracts, from 0 where there is nothing',
    before: { port: 5, score: 0.5, size: null },
    operations: [
      { op: 'increment', path: 'port', by: 2 },
      { op: 'increment', path: 'port', by: -10 },
      { op: 'increment', path: 'score', by: 0.25 },
      { op: 'increment', path: 'size', by: 3 },
      { op: 'increment', path: 'owner.age', by: 1 },
    ],
    after: { port: -3, score: 0.75, size: 3, owner: { age: 1 } },
  },
  {
    title: 'max and min keep the larger and the smaller number',
    before: { port: 5, score: 5 },
    operations: [
      { op: 'max', path: 'port', value: 4 },
      { op: 'min', path: 'score', value: 6 },
      { op: 'max', path: 'port', value: 9 },
      { op: 'min', path: 'score', value: -1 },
    ],
    after: { port: 9, score: -1 },
  },
  {
    title: 'max and min compare text, and store where there is nothing',
    before: { seen: '2026-01-02T00:00:00.000000Z', name: null },
    operations: [
      { op: 'max', path: 'seen', value: '2026-01-01T00:00:00.000000Z' },
      { op: 'max', path: 'seen', value: '2026-01-03T00:00:00.000000Z' },
      { op: 'min', path: 'name', value: 'n' },
      { op: 'max', path: 'owner.age', value: -4 },
    ],
    after: { seen: '2026-01-03T00:00:00.000000Z', name: 'n', owner: { age: -4 } },
  },
  {
    title: 'append and prepend add at the end and at the front, repeated ones too',
    before: { tags: ['a'] },
    operations: [
      { op: 'append', path: 'tags', value: 'b' },
      { op: 'append', path: 'tags', value: 'a' },
      { op: 'prepend', path: 'tags', value: 'b' },
    ],
    after: { tags: ['b', 'a', 'b', 'a'] },
  },
  {
    title: 'lists begin where there is none or null',
    before: { tags: null },
    operations: [
      { op: 'append', path: 'tags', value: 'a' },
      { op: 'prepend', path: 'ports', value: 1 },
      { op: 'append_missing', path: 'owner.names', value: 'b' },
      { op: 'prepend_missing', path: 'comments', value: { user: 'u' } },
    ],
    after: { tags: ['a'], ports: [1], owner: { names: ['b'] }, comments: [{ user: 'u' }] },
  },
  {
    title: 'append_missing and prepend_missing add what is not there yet, objects compared by value',
    before: { tags: ['a', 'b'], comments: COMMENTS },
    operations: [
      { op: 'append_missing', path: 'tags', value: 'a' },
      { op: 'append_missing', path: 'tags', value: 'c' },
      { op: 'prepend_missing', path: 'tags', value: 'b' },
      { op: 'prepend_missing', path: 'tags', value: 'd' },
      { op: 'append_missing', path: 'comments', value: { stars: 2, user: 'b' } },
      { op: 'append_missing', path: 'comments', value: { user: 'b' } },
    ],
    after: { tags: ['d', 'a', 'b', 'c'], comments: [...COMMENTS, { user: 'b' }] },
  },
  {
    title: 'remove takes the first equal item only, objects compared by value',
    before: { tags: ['a', 'b', 'a'], comments: COMMENTS },
    operations: [
      { op: 'remove', path: 'tags', value: 'a' },
      { op: 'remove', path: 'tags', value: 'none' },
      { op: 'remove', path: 'ports', value: 1 },
      { op: 'remove', path: 'comments', value: { stars: 1, user: 'a' } },
    ],
    after: { tags: ['b', 'a'], comments: [{ user: 'b', stars: 2 }] },
  },
  {
    title: 'remove_at takes an item by index and a property by key',
    before: { tags: ['a', 'b', 'c'], labels: { x: '1', y: '2' } },
    operations: [
      { op: 'remove_at', path: 'tags', key: 1 },
      { op: 'remove_at', path: 'tags', key: 9 },
      { op: 'remove_at', path: 'labels', key: 'x' },
      { op: 'remove_at', path: 'labels', key: 'none' },
      { op: 'remove_at', path: 'owner', key: 'name' },
    ],
    after: { tags: ['a', 'c'], labels: { y: '2' } },
  },
  {
    title: 'operations see what those before them did',
    before: { port: 1 },
    operations: [
      { op: 'increment', path: 'port', by: 1 },
      { op: 'set_from', path: 'ports', from: 'port' },
      { op: 'unset', path: 'port' },
      { op: 'increment', path: 'port', by: 10 },
    ],
    after: { port: 10, ports: 2 },
  },
  {
    title: 'no operation changes nothing',
    before: { name: 'x' },
    operations: [],
    after: { name: 'x' },
  },
];

export function updatesArea(subject: DatastoreSubject): void {
  const opened = openForArea(subject);

  it('applies every kind of operation', async (test) => {
    const things = opened.things();
    for (const [index, { title, before, operations, after }] of CASES.entries()) {
      await test.test(title, async () => {
        const id = `case${index}`;
        await things.save(id, { thing_id: id, ...before });
        const { document, version } = await things.update(id, operations);
        const expected = { thing_id: id, ...after };
        assert.deepEqual(document, expected);
        assert.deepEqual(await things.getVersioned(id, EVERYTHING), { document: expected, version });
      });
    }
  });

  it('is found by its new values and not by the old', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', name: 'old', tags: ['x', 'y'] }, { visible: 'now' });
    await things.update(
      'a',
      [
        { op: 'set', path: 'name', value: 'new' },
        { op: 'remove', path: 'tags', value: 'x' },
        { op: 'append', path: 'comments', value: { user: 'z', value: 'some words' } },
      ],
      { visible: 'now' },
    );
    assert.deepEqual(await found(things, 'name:new AND tags:y AND comments.user:z AND comments.value:words'), ['a']);
    assert.deepEqual(await found(things, 'name:old OR tags:x'), []);
  });

  it('refuses to update what is not there, and creates nothing', async () => {
    const things = opened.things();
    const operations: UpdateOperation[] = [{ op: 'set', path: 'name', value: 'x' }];
    await assert.rejects(things.update('missing', operations), { kind: 'not_found', code: 'document_missing' });
    assert.equal(await things.get('missing', EVERYTHING), undefined);
  });

  it('applies all operations or none', async () => {
    const things = opened.things();
    const document = { thing_id: 'a', name: 'text', port: 1, owner: { name: 'x' } };
    const version = await things.save('a', document);
    const impossible: UpdateOperation[] = [
      { op: 'increment', path: 'name', by: 1 },
      { op: 'append', path: 'owner', value: 1 },
      { op: 'set', path: 'name.below', value: 1 },
    ];
    for (const operation of impossible) {
      await assert.rejects(
        things.update('a', [{ op: 'set', path: 'port', value: 2 }, operation]),
        { kind: 'invalid_input', code: 'invalid_update' },
        operation.op,
      );
    }
    assert.deepEqual(await things.getVersioned('a', EVERYTHING), { document, version });
  });

  it('takes every name for a property of the document, and of nothing else', async () => {
    const things = opened.things();
    await things.save('a', { thing_id: 'a', labels: {} });
    await things.update('a', [
      { op: 'set', path: 'labels.__proto__', value: 'w' },
      { op: 'set', path: 'not_declared.__proto__.polluted', value: 'x' },
      { op: 'set', path: 'labels.constructor', value: 'y' },
      { op: 'append', path: 'labels.toString', value: 'z' },
    ]);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    assert.equal(typeof {}.toString, 'function');
    const { labels = {}, not_declared = {} } = ((await things.get('a', EVERYTHING)) ?? {}) as Record<string, object>;
    const parent = Object.getOwnPropertyDescriptor(not_declared, '__proto__')?.value;
    assert.equal(Object.getOwnPropertyDescriptor(parent, 'polluted')?.value, 'x');
    assert.equal(Object.getOwnPropertyDescriptor(labels, '__proto__')?.value, 'w');
    assert.equal(Object.getOwnPropertyDescriptor(labels, 'constructor')?.value, 'y');
    assert.deepEqual(Object.getOwnPropertyDescriptor(labels, 'toString')?.value, ['z']);
  });
}
