import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_FIELD_NAMES, MAX_FIELD_PATTERNS } from './fields/field-selection.ts';
import { SearchArguments } from './search-arguments.ts';
import {
  MAX_FACET_FIELDS,
  readFacet,
  readFieldNames,
  readGroup,
  readHistogram,
  readSearch,
  readTimeout,
} from './search-input.ts';
import { MAX_SORT_CLAUSES } from './sort-clauses.ts';

const DEADLINE = { timeout: 60_000, signal: new AbortController().signal };
const posted = (body: unknown) => ({ given: new SearchArguments('POST', {}, body), deadline: DEADLINE });
const asked = (query: Record<string, unknown>) => ({
  given: new SearchArguments('GET', query, undefined),
  deadline: DEADLINE,
});

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

  it('reads the time of a request', () => {
    const timeout = (given: unknown) => readTimeout(posted({ timeout: given }).given);
    assert.deepEqual([timeout(undefined), timeout(1), timeout('600000')], [60_000, 1, 600_000]);
    for (const wrong of [0, -1, 600_001, 'soon']) assert.throws(() => timeout(wrong), { kind: 'invalid_input' });
  });

  it('limits fields, patterns of fields and clauses of a sort', () => {
    const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(',');
    const search = (given: object) => readSearch(posted({ query: '*', ...given }));
    search({ fl: `${names(MAX_FIELD_NAMES - MAX_FIELD_PATTERNS, 'a')},${names(MAX_FIELD_PATTERNS, '*')}` });
    search({ sort: names(MAX_SORT_CLAUSES, 'a asc,b').replaceAll(/b\d+/g, '') });
    readFieldNames(posted({ fields: names(MAX_FACET_FIELDS, 'a').split(',') }).given);
    for (const [run, message] of [
      [() => search({ fl: names(MAX_FIELD_NAMES + 1, 'a') }), /fl has 1001 names, .* at most 1000 and 100/],
      [() => search({ fl: names(MAX_FIELD_PATTERNS + 1, '*') }), /101 of them with a star; at most 1000 and 100/],
      [() => search({ sort: 'a asc,'.repeat(MAX_SORT_CLAUSES + 1) }), /33 clauses; at most 32/],
      [
        () => readFieldNames(posted({ fields: names(MAX_FACET_FIELDS + 1, 'a').split(',') }).given),
        /101 .* at most 100/,
      ],
    ] as const) {
      assert.throws(run, { kind: 'invalid_input', message });
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
