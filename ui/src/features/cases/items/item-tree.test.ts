import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CaseItem } from '../case-api.ts';
import { destinationOf, itemTree, ROOT, treeRows } from './item-tree.ts';

const item = (id: string, type: CaseItem['type'], parent?: string): CaseItem => ({
  id,
  type,
  value: id,
  visible: true,
  ...(parent === undefined ? {} : { parent }),
});
const ALL_OPEN = { closed: new Set<string>(), search: '' };
const shown = (items: readonly CaseItem[], options = ALL_OPEN) =>
  treeRows(itemTree(items), options).map(({ id, depth }) => `${depth} ${id}`);

it('orders folders before others, each by name with numbers as numbers', () => {
  const items = [item('b', 'hit'), item('item 10', 'hit'), item('item 9', 'hit'), item('z', 'folder')];
  assert.deepEqual(shown(items), ['0 ', '1 z', '1 b', '1 item 9', '1 item 10']);
});

it('shows what lies in an open folder alone', () => {
  const items = [item('in', 'hit', 'f'), item('f', 'folder')];
  assert.deepEqual(shown(items), ['0 ', '1 f', '2 in']);
  assert.deepEqual(shown(items, { closed: new Set(['f']), search: '' }), ['0 ', '1 f']);
});

it('shows each item once, also of folders that lie in themselves, are missing, or are none', () => {
  const items = [
    item('a', 'folder', 'b'),
    item('b', 'folder', 'a'),
    item('self', 'folder', 'self'),
    item('lost', 'hit', 'nowhere'),
    item('odd', 'hit', 'lost'),
  ];
  const rows = treeRows(itemTree(items), ALL_OPEN).map(({ id }) => id);
  assert.deepEqual(rows.toSorted(), ['', 'a', 'b', 'lost', 'odd', 'self']);
});

it('finds by name or value, with the folders on the way, open', () => {
  const items = [item('f', 'folder'), { ...item('x', 'hit', 'f'), name: 'Mail server' }, item('y', 'hit', 'f')];
  assert.deepEqual(shown(items, { closed: new Set(['f']), search: ' mail ' }), ['0 ', '1 f', '2 x']);
});

it('draws 5,000 items, also as folders in folders', () => {
  const nested = Array.from({ length: 5_000 }, (_, place) =>
    item(`f${place}`, 'folder', place === 0 ? undefined : `f${place - 1}`),
  );
  const rows = treeRows(itemTree(nested), ALL_OPEN);
  assert.equal(rows.length, 5_001);
  assert.ok(rows.every(({ depth }) => depth <= 24));
});

it('knows where each move leads', () => {
  const tree = itemTree([
    item('f1', 'folder'),
    item('f2', 'folder'),
    item('inner', 'folder', 'f1'),
    item('x', 'hit', 'f1'),
    item('case', 'case'),
  ]);
  assert.equal(destinationOf(tree, 'x', { kind: 'out' }), ROOT);
  assert.equal(destinationOf(tree, 'x', { kind: 'in' }), 'inner');
  assert.equal(destinationOf(tree, 'x', { kind: 'up' }), ROOT);
  assert.equal(destinationOf(tree, 'x', { kind: 'down' }), 'inner');
  assert.equal(destinationOf(tree, 'x', { kind: 'into', target: 'f2' }), 'f2');
  assert.equal(destinationOf(tree, 'x', { kind: 'into', target: 'f1' }), undefined);
  assert.equal(destinationOf(tree, 'f1', { kind: 'into', target: 'inner' }), undefined);
  assert.equal(destinationOf(tree, 'f1', { kind: 'down' }), 'f2');
  assert.equal(destinationOf(tree, 'case', { kind: 'into', target: 'f1' }), undefined);
});
