import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SearchArguments } from './search-arguments.ts';
import { readFacet, readGroup, readHistogram, readSearch } from './search-input.ts';

const posted = (body: unknown) => new SearchArguments('POST', {}, body);
const asked = (query: Record<string, unknown>) => new SearchArguments('GET', query, undefined);

describe('SearchArguments', () => {
  it('searches for everything when a body is missing or could not be read', () => {
    assert.equal(readSearch(posted(undefined)).query, '*:*');
    assert.equal(readSearch(posted(null)).query, '*:*');
  });

  it('refuses a body that is JSON and no object', () => {
    for (const body of [[1], 'text', 5, true]) assert.throws(() => posted(body), { code: 'invalid_body' });
  });

  it('reads numbers that come as text, and the last of several', () => {
    const input = readSearch(asked({ query: 'a', rows: '4', offset: ['1', '2'] }));
    assert.deepEqual([input.rows, input.offset], [4, 2]);
  });

  it('names the argument and the value that do not fit', () => {
    const refusals: [Record<string, unknown>, RegExp][] = [
      [{ rows: 'abc' }, /rows must be a whole number, not 'abc'/],
      [{ rows: 1.5 }, /rows must be a whole number, not the number 1.5/],
      [{ rows: -1 }, /rows is -1; it must lie between 0/],
      [{ offset: 1e300 }, /offset .* must (be a whole number|lie between)/],
      [{ offset: '99999999999999' }, /offset is 99999999999999/],
      [{ rows: {} }, /rows must be a whole number, not an object/],
      [{ timeout: 0 }, /timeout is 0/],
      [{ filters: [{}] }, /filters\.0 must be a string, not an object/],
      [{ filters: {} }, /filters must be a string, not an object/],
      [{ fl: { a: 1 } }, /fl must be a string/],
      [{ sort: { a: 1 } }, /sort must be a string, not an object/],
      [{ query: { bool: {} } }, /query must be a string, not an object/],
    ];
    for (const [given, message] of refusals) {
      assert.throws(
        () => readSearch(posted({ query: '*', ...given })),
        { kind: 'invalid_input', message },
        JSON.stringify(given),
      );
    }
  });

  it('asks for a query where one is needed', () => {
    for (const body of [{}, { query: '' }, { query: null }, { rows: 1 }]) {
      assert.throws(() => readSearch(posted(body)), { code: 'query_missing', message: 'There was no search query.' });
    }
  });

  it('takes one filter for a list of one', () => {
    assert.deepEqual(readSearch(posted({ query: '*', filters: 'a:b' })).filters, ['a:b']);
    assert.deepEqual(readSearch(asked({ query: '*', filters: ['a:b', 'c:d'] })).filters, ['a:b', 'c:d']);
  });

  it('does not take members of objects in general for arguments', () => {
    assert.throws(() => readSearch(posted(JSON.parse('{"constructor": 1}'))), { code: 'query_missing' });
  });

  it('lists values that occur, whatever mincount says below 1', () => {
    assert.equal(readFacet(posted({ mincount: 0 })).minCount, 1);
    assert.equal(readFacet(posted({ mincount: '8' })).minCount, 8);
    assert.equal(readHistogram(posted({ mincount: 0 })).minCount, 0);
    assert.throws(() => readFacet(posted({ rows: 0 })), { code: 'number_out_of_range' });
  });

  it('reads orders, and refuses clauses that are not a field and asc or desc', () => {
    assert.deepEqual(readSearch(posted({ query: '*', sort: 'a.b asc, c desc,' })).sort, [
      { field: 'a.b', order: 'asc' },
      { field: 'c', order: 'desc' },
    ]);
    assert.deepEqual(readGroup(posted({ group_sort: '_id asc' })).groupSort, [{ field: 'id', order: 'asc' }]);
    for (const sort of ['a', 'a up', 'a asc b', 'asc']) {
      assert.throws(() => readSearch(posted({ query: '*', sort })), { message: `Unknown sort parameter ${sort}` });
    }
  });

  it('counts up to the number asked for, exactly for any other yes, and up to 10,000 for a no', () => {
    const maxTotal = (track_total_hits: unknown) => readSearch(posted({ query: '*', track_total_hits })).maxTotal;
    for (const yes of [true, 'true', 'yes']) assert.equal(maxTotal(yes), Number.POSITIVE_INFINITY);
    for (const no of [false, 'false', 0, '', undefined]) assert.equal(maxTotal(no), 10_000);
    for (const limit of [5, '5', 1, 20_000]) assert.equal(maxTotal(limit), Number(limit));
  });
});
