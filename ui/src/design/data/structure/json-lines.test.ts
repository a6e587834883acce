import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jsonLines } from './json-lines.ts';

const all = () => true;

it('writes one line for each member of what is open', () => {
  const value = { a: [1, { b: null }], 'x/y': 'z' };
  assert.deepEqual(
    jsonLines(value, all).map(({ path, depth, kind }) => `${path} ${depth} ${kind}`),
    [' 0 object', '/a 1 list', '/a/0 2 value', '/a/1 2 object', '/a/1/b 3 value', '/x~1y 1 value'],
  );
  assert.equal(jsonLines(value, (path) => path === '').length, 3);
});

it('ends in long lists, deep ones and those that hold themselves', () => {
  const long = jsonLines({ list: Array.from({ length: 100_000 }, () => 1) }, all);
  assert.deepEqual([long.length, long.at(-1)?.kind, long.at(-1)?.count], [2_003, 'cut', 98_000]);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  assert.ok(jsonLines(cyclic, all).length < 100);
  const wide = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`k${index}`, Array.from({ length: 1_000 }, () => 1)]),
  );
  assert.ok(jsonLines(wide, all).length <= 21_000);
});
