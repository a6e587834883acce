import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterQuery, readFilter } from '../model/filter-query.ts';
import { draftOf, EMPTY_DRAFT, filterOfDraft } from './filter-draft.ts';

describe('the form of a filter', () => {
  for (const query of [
    'a:b',
    'NOT a:b',
    'a:(b OR c)',
    '_exists_:a',
    'NOT _exists_:a',
    'a:[1 TO 5}',
    'NOT a:{* TO 5]',
    'a:b AND c:d',
    'NOT (a:b AND c:d)',
  ]) {
    it(`gives ${query} back when nothing is changed`, () => {
      const filter = readFilter(query);
      const draft = filterOfDraft(draftOf(filter));
      assert.ok(draft.kind === 'field' || draft.kind === 'query');
      assert.equal(filterQuery(draft), filterQuery(filter));
    });
  }

  for (const [draft, problem] of [
    [EMPTY_DRAFT, 'no_field'],
    [{ ...EMPTY_DRAFT, field: 'a' }, 'no_value'],
    [{ ...EMPTY_DRAFT, field: 'a', condition: 'range', lower: ' ' }, 'no_bound'],
    [{ ...EMPTY_DRAFT, condition: 'query' }, 'no_query'],
    [{ ...EMPTY_DRAFT, condition: 'query', text: 'a:"b' }, 'refused'],
  ] as const) {
    it(`reports ${problem}`, () => assert.equal(filterOfDraft(draft).kind, problem));
  }

  it('excludes a query of several conditions as a whole', () => {
    const filter = filterOfDraft({ ...EMPTY_DRAFT, condition: 'query', text: 'a:b OR c:d', excluded: true });
    assert.deepEqual(filter, { kind: 'query', text: 'a:b OR c:d', excluded: true, off: false });
  });
});
