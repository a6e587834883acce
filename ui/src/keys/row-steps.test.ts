import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ROW_STEPS, type RowStep, rowAfter, rowStepOf } from './row-steps.ts';

const from = (activeIndex: number | undefined, step: RowStep, rowCount = 30) =>
  rowAfter(step, { activeIndex, rowCount, pageSize: 10 });

it('walks the rows, and stays among them', () => {
  assert.equal(from(3, 'next'), 4);
  assert.equal(from(3, 'previous'), 2);
  assert.equal(from(3, 'first'), 0);
  assert.equal(from(3, 'last'), 29);
  assert.equal(from(3, 'pageDown'), 13);
  assert.equal(from(3, 'pageUp'), 0);
  assert.equal(from(29, 'next'), 29);
  assert.equal(from(25, 'pageDown'), 29);
});

it('begins at the first row', () => {
  assert.equal(from(undefined, 'next'), 0);
  assert.equal(from(undefined, 'previous'), 0);
});

it('leads nowhere without rows', () => {
  for (const step of ROW_STEPS) assert.equal(from(undefined, step, 0), undefined);
});

it('knows the keys of a list', () => {
  assert.equal(rowStepOf('PageUp'), 'pageUp');
  assert.equal(rowStepOf('j'), undefined);
});
