import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { queryFields } from './query-fields.ts';
import { problemsOf } from './query-problems.ts';
import { rolesOf } from './query-tokens.ts';
import { type QueryProblem, refusedFilter, serverProblem } from './server-problem.ts';

const fields = queryFields({
  'howler.status': { type: 'keyword', values: ['open'] },
  'howler.comment.value': { type: 'text' },
  'process.env_vars': { type: 'keyword' },
  'source.ip': { type: 'ip' },
  'event.severity': { type: 'integer' },
  blob: { type: 'object', indexed: false },
});

/** Returns each problem with the text that is underlined. */
function underlined(text: string, problems: readonly QueryProblem[] = problemsOf(text, fields)): readonly string[] {
  return problems.map(({ from, to }) => text.slice(from, to));
}

describe('problems of a query', () => {
  for (const [text, marked, message] of [
    ['a AND', 'AND', /ends where a value/],
    ['(a OR b', 'b', /ends where/],
    ['howler.status:"open', '"open', /never closed/],
    ['howler.status:open)', ')', /Unexpected \)/],
    ['event.severity:high', 'high', /event\.severity holds numbers, and "high"/],
    ['source.ip:10.0.0.999', '10.0.0.999', /source\.ip holds addresses/],
    ['source.ip:10*', '10*', /does not take wildcards/],
    ['event.severity:[1 5]', '5', /TO in capitals/],
    ['\\', '\\', /ends with a backslash/],
  ] as const) {
    it(`of ${text} is at ${marked}`, () => {
      const [problem] = problemsOf(text, fields);
      assert.equal(problem?.kind, 'refused');
      assert.match(problem.kind === 'refused' ? problem.message : '', message);
      assert.deepEqual(underlined(text).slice(0, 1), [marked]);
    });
  }

  for (const [text, similar] of [
    ['status:open', 'howler.status'],
    ['howler.statsu:open', 'howler.status'],
    ['Source.IP:10.0.0.1', 'source.ip'],
    ['_exists_:source.ipp', 'source.ip'],
    ['entirely.different:x', undefined],
  ] as const) {
    it(`of ${text} is an unknown field, perhaps ${similar}`, () => {
      const [problem] = problemsOf(text, fields);
      assert.equal(problem?.kind, 'unknown_field');
      assert.equal(problem.kind === 'unknown_field' && problem.similar, similar);
      assert.equal(text.includes(underlined(text)[0] ?? '?'), true);
    });
  }

  for (const text of [
    '',
    'word',
    'howler.status:(open OR x)',
    'process.env_vars.PATH:x',
    '_exists_:howler.comment',
    'howler.comment.value:*',
    '\\*.ip:10.0.0.1',
    '*:*',
    '_id:abc',
    'source.ip:"10.0.0.0/8"',
  ]) {
    it(`does not exist in ${text || 'an empty query'}`, () => assert.deepEqual(problemsOf(text, fields), []));
  }

  it('are those of the grammar alone while the fields are not known', () => {
    assert.deepEqual(problemsOf('gone:x'), []);
    assert.equal(problemsOf('gone:(x').length, 1);
  });

  it('are at most twenty-one, and lie inside of any text', () => {
    assert.equal(problemsOf(`${'gone:x '.repeat(100)}(`, fields).length, 21);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:"\\()[]{}^~*/+-! ANDORTO\n'), maxLength: 30 }), (text) => {
        for (const { from, to } of problemsOf(text, fields)) assert.ok(0 <= from && from <= to && to <= text.length);
        let end = 0;
        for (const span of rolesOf(text)) {
          assert.ok(span.from >= end && span.to <= text.length);
          end = span.to;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a refusal of the server', () => {
  it('underlines the token at its position', () => {
    const text = 'a:b AND c:d';
    assert.deepEqual(underlined(text, [serverProblem(text, { message: 'No.', at: 10 })]), ['d']);
    assert.deepEqual(underlined(text, [serverProblem(text, { message: 'No.', at: text.length })]), ['d']);
  });

  it('underlines nothing for a position behind the end, and for a filter', () => {
    for (const at of [10, 'filters.0', 'filters', 'sort']) {
      assert.deepEqual(underlined('a:b', [serverProblem('a:b', { message: 'No.', at })]), ['']);
    }
  });

  it('names the filter that it is about', () => {
    const found = ['filters.0', 'filters.12', 'filters', 'query', 3, undefined].map((at) =>
      refusedFilter({ message: 'No.', at }),
    );
    assert.deepEqual(found, [0, 12, undefined, undefined, undefined, undefined]);
  });

  it('is said without the query, which stands above it', () => {
    for (const prefix of ['SearchException: ', 'SearchException on query a:b: ', '']) {
      const problem = serverProblem('a:b', { message: `${prefix}No.`, at: 0 });
      assert.equal(problem.kind === 'refused' && problem.message, 'No.');
    }
  });

  it('underlines everything without a position', () => {
    assert.deepEqual(underlined('a:b', [serverProblem('a:b', { message: 'No.', at: 'query' })]), ['a:b']);
  });
});
