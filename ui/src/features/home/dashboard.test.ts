import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  analyticCard,
  chartOf,
  readDashboard,
  type StoredCard,
  viewCard,
  withCard,
  withMovedCard,
  withoutCard,
} from './dashboard.ts';

const entry = (type: string, config: unknown) => ({ entry_id: `${type} entry`, type, config: JSON.stringify(config) });

it('reads views with their number of rows, and charts of analytics', () => {
  assert.deepEqual(
    readDashboard([
      entry('view', { viewId: 'v', limit: 3 }),
      entry('analytic', { analyticId: 'a', type: 'created' }),
      entry('hologram', { viewId: 'v' }),
      { ...entry('view', {}), config: '{' },
    ]),
    [
      { key: 'view entry', kind: 'view', id: 'v', chart: undefined, limit: 3 },
      { key: 'analytic entry', kind: 'analytic', id: 'a', chart: 'created', limit: undefined },
    ],
  );
});

it('ignores numbers of rows that no card can have', () => {
  for (const limit of [0, -1, 1.5, 1e9, '3', null]) {
    assert.equal(readDashboard([entry('view', { viewId: 'v', limit })])[0]?.limit, undefined, String(limit));
  }
});

const keysOf = (cards: readonly StoredCard[]) => cards.map(({ entry_id: key }) => key);

it('makes cards that it reads, and that replace equal ones', () => {
  const cards = [viewCard('v'), analyticCard('a', 'created')];
  assert.deepEqual(readDashboard(cards), [
    { key: 'v', kind: 'view', id: 'v', chart: undefined, limit: 6 },
    { key: 'a-created', kind: 'analytic', id: 'a', chart: 'created', limit: undefined },
  ]);
  assert.deepEqual(keysOf(withCard(cards, viewCard('v'))), ['a-created', 'v']);
  assert.deepEqual(keysOf(withoutCard(cards, 'v')), ['a-created']);
  assert.equal(chartOf('hologram'), 'status');
});

it('moves a card beside those that are shown, and keeps cards of other kinds in their place', () => {
  const unknown: StoredCard = { entry_id: 't', type: 'tasks', config: '{}' };
  const cards = [viewCard('1'), unknown, viewCard('2'), viewCard('3')];
  assert.deepEqual(keysOf(withMovedCard(cards, '1', 1)), ['t', '2', '1', '3']);
  assert.deepEqual(keysOf(withMovedCard(cards, '3', -1)), ['1', 't', '3', '2']);
  assert.deepEqual(keysOf(withMovedCard(cards, '2', -1)), ['2', '1', 't', '3']);
  for (const [key, by] of [
    ['1', -1],
    ['3', 1],
    ['t', 1],
    ['absent', 1],
  ] as const) {
    assert.equal(withMovedCard(cards, key, by), cards, key);
  }
});
