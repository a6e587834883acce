import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  ALL_SELECTED,
  extended,
  isSelected,
  NOTHING_SELECTED,
  selectedCount,
  selectionState,
  toggled,
} from './selection.ts';

const idAt = (index: number) => (index < 10 ? `id${index}` : undefined);

it('adds rows and takes them away', () => {
  const one = toggled(NOTHING_SELECTED, 'id3', 3);
  assert.ok(isSelected(one, 'id3'));
  assert.equal(isSelected(toggled(one, 'id3', 3), 'id3'), false);
  assert.equal(NOTHING_SELECTED.ids.size, 0);
});

it('extends from where it began, in both directions', () => {
  const one = toggled(NOTHING_SELECTED, 'id3', 3);
  assert.deepEqual([...extended(one, 5, 0, idAt).ids].sort(), ['id3', 'id4', 'id5']);
  assert.deepEqual([...extended(one, 1, 0, idAt).ids].sort(), ['id1', 'id2', 'id3']);
  assert.deepEqual([...extended(NOTHING_SELECTED, 2, 1, idAt).ids], ['id1', 'id2']);
});

it('leaves out rows that are not loaded', () => {
  assert.equal(extended(toggled(NOTHING_SELECTED, 'id8', 8), 100_000, undefined, idAt).ids.size, 2);
});

it('counts all matches but the exceptions', () => {
  const some = toggled(ALL_SELECTED, 'id1', 1);
  assert.equal(selectedCount(some, 100_000), 99_999);
  assert.equal(isSelected(some, 'id1'), false);
  assert.equal(isSelected(some, 'other'), true);
  assert.equal(selectionState(some, 100_000), 'some');
  assert.equal(selectionState(extended(some, 2, undefined, idAt), 100_000), 'all');
  assert.equal(selectionState(NOTHING_SELECTED, 0), 'none');
});
