import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allOf, anyOf, not, type QueryNode } from '../../port/query-tree.ts';
import { AccessKinds, type AccessValues, accessText, readsAccessAlone } from './access-kinds.ts';

const upTo = (value: number): QueryNode => ({
  kind: 'range',
  field: '__access_lvl__',
  upper: { value, inclusive: true },
});
const inGroup = (...values: string[]): QueryNode => ({ kind: 'terms', field: '__access_grp1__', values });
const text = (level: number, ...groups: string[]) =>
  accessText(
    new Map<string, (string | number)[]>([
      ['__access_lvl__', [level]],
      ['__access_grp1__', groups],
    ]) as AccessValues,
  );

describe('access kinds', () => {
  it('number each combination once, in any order of its values', () => {
    const kinds = new AccessKinds();
    assert.equal(kinds.numberOf(text(100, 'A', 'B')), 1);
    assert.equal(kinds.numberOf(text(100, 'B', 'A', 'A')), 1);
    assert.equal(kinds.numberOf(text(200, 'A', 'B')), 2);
    assert.deepEqual(
      kinds.unsaved.map(([number]) => number),
      [1, 2],
    );
    kinds.markSaved();
    assert.deepEqual(kinds.unsaved, []);
  });

  it('select those that a query admits', () => {
    const kinds = new AccessKinds();
    for (const level of [100, 200, 300, 400]) kinds.numberOf(text(level, 'A'));
    assert.equal(kinds.condition(upTo(50)), 'false');
    assert.equal(kinds.condition(upTo(100)), 'access_kind IN (1)');
    assert.equal(kinds.condition(upTo(300)), 'access_kind IN (1, 2, 3)');
    assert.equal(kinds.condition(upTo(400)), 'access_kind <= 4');
    assert.equal(kinds.condition(allOf(upTo(400), not(inGroup('A')))), 'false');
    assert.equal(kinds.condition(anyOf(upTo(100), inGroup('B'))), 'access_kind IN (1)');
  });

  it('never select one that came after the condition', () => {
    const kinds = new AccessKinds();
    kinds.numberOf(text(100, 'A'));
    assert.equal(kinds.condition(upTo(400)), 'access_kind <= 1');
    kinds.numberOf(text(500, 'A'));
    assert.equal(kinds.condition(upTo(400)), 'access_kind IN (1)');
    kinds.numberOf(text(200, 'A'));
    assert.equal(kinds.condition(upTo(400)), 'access_kind IN (1, 3)');
    for (let level = 1; level < 200; level += 1) kinds.numberOf(text(level, 'B'));
    assert.equal(kinds.condition(upTo(400)), '(access_kind <= 202 AND access_kind NOT IN (2))');
  });

  it('answer as before once they are restored, also when saved twice', () => {
    const kinds = new AccessKinds();
    for (const level of [100, 200, 300]) kinds.numberOf(text(level, 'A'));
    const restored = new AccessKinds();
    for (const [number, content] of [...kinds.unsaved, ...kinds.unsaved].reverse()) restored.restore(number, content);
    assert.equal(restored.condition(upTo(100)), kinds.condition(upTo(100)));
    assert.equal(restored.numberOf(text(200, 'A')), 2);
    assert.equal(restored.numberOf(text(400, 'A')), 4);
  });

  it('take queries of access fields alone', () => {
    const name: QueryNode = { kind: 'term', field: 'name', value: 'x' };
    assert.equal(readsAccessAlone(allOf(upTo(100), not(inGroup('A')))), true);
    assert.equal(readsAccessAlone(allOf(upTo(100), name)), false);
    assert.equal(readsAccessAlone({ kind: 'all' }), false);
    assert.equal(readsAccessAlone(name), false);
  });
});
