import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { View } from '../alerts/list/search/view-search.ts';
import { cardSearch } from './card-search.ts';

const context = { now: new Date('2026-01-15T10:00:00Z') };

it('asks for what the list shows at the address of a view', () => {
  const view = {
    view_id: 'v',
    title: 'View',
    query: 'howler.status:open',
    sort: 'event.severity asc',
    span: 'date.range.1.week',
    indexes: ['hit', 'event'],
  } as unknown as View;
  const { query, filters, sort, indexes } = cardSearch({ view: 'v' }, view, context);
  assert.equal(query, 'howler.status:open');
  assert.match(sort, /^event\.severity asc,event\.created desc/);
  assert.equal(filters.length, 1);
  assert.match(filters[0] ?? '', /^event\.created:\[.*now-1w.* TO .*now.*\]$/);
  assert.equal(indexes, 'hit,event');
});

it('asks for all alerts of a query without a view', () => {
  const search = cardSearch({ q: 'howler.status:open', sort: 'event.created asc' }, undefined, context);
  assert.deepEqual(search, {
    query: 'howler.status:open',
    filters: [],
    sort: 'event.created asc,howler.id asc',
    indexes: 'hit',
  });
});
