import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { valueFilter } from '../../../query/model/filter.ts';
import { lastRange } from '../../../query/model/time-range.ts';
import { parametersOf, queryStateOf, readSort, requestOf, writeSort } from './alert-search.ts';

const context = { now: new Date('2026-11-23T12:00:00Z') };

describe('the address of the alert list', () => {
  it('says the whole state of the search, and is read back as it', () => {
    const state = {
      text: 'howler.status:open',
      filters: [
        valueFilter('event.provider', 'a "b" \\ c'),
        valueFilter('howler.assignment', 'ann', { excluded: true }),
      ],
      range: lastRange('7d'),
    };
    assert.deepEqual(queryStateOf(parametersOf(state)), state);
    const request = requestOf(state, context);
    assert.equal(request.query, 'howler.status:open');
    assert.equal(request.filters.length, 3);
  });

  it('says nothing about defaults, and ignores a range that is none', () => {
    const none = { text: '', filters: [], range: undefined };
    assert.deepEqual(parametersOf(none), { q: undefined, f: undefined, span: undefined });
    assert.deepEqual(queryStateOf({ span: 'yesterday-ish!' }), none);
    assert.deepEqual(requestOf(none, context), { query: '*:*', filters: [] });
  });

  it('reads orders, and takes the newest first for anything else', () => {
    assert.deepEqual(readSort('event.severity asc'), { field: 'event.severity', direction: 'asc' });
    assert.deepEqual(readSort('x; drop'), { field: 'event.created', direction: 'desc' });
    assert.equal(writeSort(readSort('event.created asc')), 'event.created asc');
  });
});
