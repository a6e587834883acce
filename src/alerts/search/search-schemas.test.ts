import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_FIELD_NAMES, MAX_FIELD_PATTERNS } from '../../search/field-selection.ts';
import { MAX_SORT_CLAUSES } from '../../search/sort-clauses.ts';
import { readInput } from '../../testing/read-input.ts';
import { FacetBody, FacetsBody, GroupBody, HistogramBody, MAX_FACET_FIELDS, SearchBody } from './search-schemas.ts';

const search = (body: unknown) => readInput(SearchBody, body);

describe('arguments of a search', () => {
  it('search for everything when a body is missing or could not be read', () => {
    assert.equal(search(undefined).query, '*:*');
    assert.equal(search(null).query, '*:*');
  });

  it('are refused in a body that is JSON and not an object', () => {
    for (const body of [[1], 'text', 5, true]) assert.throws(() => search(body), { code: 'invalid_body' });
  });

  it('may be numbers as strings', () => {
    const { rows, offset } = search({ query: 'a', rows: '4', offset: '2' });
    assert.deepEqual([rows, offset], [4, 2]);
  });

  it('names the argument and the value that do not fit', () => {
    const refusals: [Record<string, unknown>, RegExp][] = [
      [{ rows: 'abc' }, /rows must be a whole number from 0 to 2147483647, not "abc"/],
      [{ rows: 1.5 }, /rows must be a whole number .*, not the number 1.5/],
      [{ rows: -1 }, /rows must be a whole number from 0 .*, not the number -1/],
      [{ offset: 1e300 }, /offset must be a whole number/],
      [{ offset: '99999999999999' }, /offset must be .*, not "99999999999999"/],
      [{ rows: {} }, /rows must be a whole number .*, not an object/],
      [{ filters: [{}] }, /filters\[0\] must be a string, not an object/],
      [{ filters: {} }, /filters\[0\] must be a string, not an object/],
      [{ fl: { a: 1 } }, /fl must be a string/],
      [{ sort: { a: 1 } }, /sort must be a string, not an object/],
      [{ query: { bool: {} } }, /query must be a string, not an object/],
    ];
    for (const [given, message] of refusals) {
      assert.throws(() => search({ query: '*', ...given }), { kind: 'invalid_input', message }, JSON.stringify(given));
    }
  });

  it('say how long the request may take', () => {
    const timeout = (given: unknown) => search({ query: '*', timeout: given }).timeout;
    assert.deepEqual([timeout(undefined), timeout(1), timeout('600000')], [60_000, 1, 600_000]);
    for (const wrong of [0, -1, 600_001, 'soon']) assert.throws(() => timeout(wrong), { kind: 'invalid_input' });
  });

  it('limit fields, patterns of fields and clauses of a sort', () => {
    const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(',');
    const limited = (given: object) => search({ query: '*', ...given });
    const facets = (count: number) => readInput(FacetsBody, { fields: names(count, 'a').split(',') });
    limited({ fl: `${names(MAX_FIELD_NAMES - MAX_FIELD_PATTERNS, 'a')},${names(MAX_FIELD_PATTERNS, '*')}` });
    limited({ sort: names(MAX_SORT_CLAUSES, 'a asc,b').replaceAll(/b\d+/g, '') });
    facets(MAX_FACET_FIELDS);
    for (const [run, message] of [
      [() => limited({ fl: names(MAX_FIELD_NAMES + 1, 'a') }), /fl has 1001 names, .* at most 1000 and 100/],
      [() => limited({ fl: names(MAX_FIELD_PATTERNS + 1, '*') }), /101 of them with a star; at most 1000 and 100/],
      [() => limited({ sort: 'a asc,'.repeat(MAX_SORT_CLAUSES + 1) }), /33 clauses; at most 32/],
      [() => facets(MAX_FACET_FIELDS + 1), /101 .* at most 100/],
    ] as const) {
      assert.throws(run, { kind: 'invalid_input', message });
    }
  });

  it('asks for a query where one is needed', () => {
    for (const body of [{}, { query: '' }, { query: null }, { rows: 1 }]) {
      assert.throws(() => search(body), { code: 'query_missing', message: 'There was no search query.' });
    }
  });

  it('takes one filter for a list of one', () => {
    assert.deepEqual(search({ query: '*', filters: 'a:b' }).filters, ['a:b']);
    assert.deepEqual(search({ query: '*', filters: ['a:b', 'c:d', ''] }).filters, ['a:b', 'c:d', '']);
  });

  it('does not take members of objects in general for arguments', () => {
    assert.throws(() => search(JSON.parse('{"constructor": 1}')), { code: 'query_missing' });
  });

  it('lists values that occur, regardless of what mincount says below 1', () => {
    assert.equal(readInput(FacetBody, { mincount: 0 }).mincount, 1);
    assert.equal(readInput(FacetBody, { mincount: '8' }).mincount, 8);
    assert.equal(readInput(HistogramBody, { mincount: 0 }).mincount, 0);
    assert.throws(() => readInput(FacetBody, { rows: 0 }), { code: 'invalid_argument' });
  });

  it('reads orders, and refuses clauses that are not a field and asc or desc', () => {
    assert.deepEqual(search({ query: '*', sort: 'a.b asc, c desc,' }).sort, [
      { field: 'a.b', order: 'asc' },
      { field: 'c', order: 'desc' },
    ]);
    assert.deepEqual(readInput(GroupBody, { group_sort: '_id asc' }).group_sort, [{ field: 'id', order: 'asc' }]);
    for (const sort of ['a', 'a up', 'a asc b', 'asc']) {
      assert.throws(() => search({ query: '*', sort }), { message: `Unknown sort parameter ${sort}` });
    }
  });

  it('counts up to the number asked for, exactly for any other yes, and up to 10,000 for a no', () => {
    const maxTotal = (track_total_hits: unknown) => search({ query: '*', track_total_hits }).track_total_hits;
    for (const yes of [true, 'true', 'yes']) assert.equal(maxTotal(yes), Number.POSITIVE_INFINITY);
    for (const no of [false, 'false', 0, '', undefined]) assert.equal(maxTotal(no), 10_000);
    for (const limit of [5, '5', 1, 20_000]) assert.equal(maxTotal(limit), Number(limit));
  });
});
