import assert from 'node:assert/strict';
import { it } from 'node:test';
import { treePlaces } from './tree-places.ts';

const placesOf = (...depths: readonly number[]) =>
  treePlaces(depths.map((depth) => ({ depth }))).map(({ position, size }) => `${position}/${size}`);

it('counts the members of each branch by themselves', () => {
  assert.deepEqual(placesOf(), []);
  assert.deepEqual(placesOf(0), ['1/1']);
  assert.deepEqual(placesOf(0, 0, 0), ['1/3', '2/3', '3/3']);
  assert.deepEqual(placesOf(0, 1, 1, 0, 1, 0), ['1/3', '1/2', '2/2', '2/3', '1/1', '3/3']);
  assert.deepEqual(placesOf(0, 1, 2, 2, 1, 2), ['1/1', '1/2', '1/2', '2/2', '2/2', '1/1']);
});

it('takes a branch without its parent for one of its own', () => {
  assert.deepEqual(placesOf(2, 2, 0, 1), ['1/2', '2/2', '1/1', '1/1']);
});

it('counts 100,000 items at once', () => {
  const places = treePlaces(Array.from({ length: 100_000 }, (_, index) => ({ depth: index === 0 ? 0 : 1 })));
  assert.deepEqual(places.at(-1), { position: 99_999, size: 99_999 });
});
