import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readDashboard } from './dashboard.ts';

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
