import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { expandWords } from '../words/expand-words.ts';
import { valueFilter } from './filter.ts';
import { combinedQuery, type QueryState, queryRequest } from './query-request.ts';
import { lastRange } from './time-range.ts';

const context = { now: new Date(0) };
const state: QueryState = {
  text: ' source.ip:10.0.0.1 OR destination.ip:10.0.0.1',
  filters: [valueFilter('howler.status', 'open'), { ...valueFilter('a', 'b'), off: true }],
  range: lastRange('7d'),
};

describe('search requests of a query bar', () => {
  it('look for words without a field in the fields of alerts, also in filters', () => {
    const filter = { kind: 'query', text: 'evil', excluded: true, off: false } as const;
    const { query, filters } = queryRequest({ text: 'ransomware', filters: [filter] }, 'event.created', context);
    assert.equal(query, expandWords('ransomware').text);
    assert.deepEqual(filters, [expandWords('NOT (evil)').text]);
    assert.ok(query.includes('message:') && filters[0]?.includes('message:'));
  });

  it('contain the text as typed, the filters that are on, and the range', () => {
    assert.deepEqual(queryRequest(state, 'event.created', context), {
      query: state.text,
      filters: ['howler.status:open', 'event.created:[now-7d TO now]'],
    });
  });

  it('ask for everything when nothing was typed', () => {
    const empty = { text: ' \n', filters: [] };
    assert.deepEqual(queryRequest(empty, 'event.created', context), { query: '*:*', filters: [] });
    assert.equal(combinedQuery(empty, 'event.created', context), '*:*');
  });

  it('are one query that keeps each part together', () => {
    const query = combinedQuery(state, 'event.created', context);
    assert.equal(query, `(${state.text}) AND (howler.status:open) AND (event.created:[now-7d TO now])`);
    assert.deepEqual(
      parseSyntax(query).clauses.map(({ conjunction }) => conjunction),
      ['none', 'and', 'and'],
    );
    assert.equal(combinedQuery({ ...state, text: '', range: undefined }, 't', context), 'howler.status:open');
  });
});
