import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEARCHABLE } from '../../testing/searchable-kind.ts';
import { compileQuery } from './compile-query.ts';
import { explainQuery, MAX_EXPLANATION_LENGTH } from './explain-query.ts';

const NOW = new Date('2026-03-18T14:30:15.250Z');
const explain = (text: string): string => explainQuery(text, SEARCHABLE, NOW);

/** Queries whose explanation is a query that reads as the same tree. */
const EXPLAINED: readonly (readonly [query: string, explanation: string])[] = [
  ['*:*', '*:*'],
  ['*', '*'],
  ['status:open', 'status:open'],
  ['status:(open OR closed)', 'status:open status:closed'],
  ['status:a AND (message:x* OR message:y)', '+status:a +(message:x* message:y)'],
  ['status:a AND NOT (status:b OR status:c)', '+status:a -(status:b status:c)'],
  ['a OR status:b AND status:c', '+status:b +status:c a'],
  ['NOT status:a', '-status:a'],
  ['quick brown', 'quick brown'],
  ['status:"Phish Lens"', 'status:"Phish Lens"'],
  ['status:(Phish Lens)', 'status:"Phish Lens"'],
  ['status:"say \\"C:\\\\x\\""', 'status:"say \\"C:\\\\x\\""'],
  ['status:"AND"', 'status:"AND"'],
  ['status:""', 'status:""'],
  ['title:Loud', 'title:loud'],
  ['message:"quick brown"~3', 'message:"quick brown"~3'],
  ['message:"quick brown"', 'message:"quick brown"'],
  ['severity:"-5"', 'severity:"-5"'],
  ['severity:[1 TO 5}', 'severity:[1 TO 4]'],
  ['score:[0.1 TO 5}', 'score:[0.1 TO 5}'],
  ['score:>0.7', 'score:{0.7 TO *]'],
  ['bytes:9007199254740993', 'bytes:9007199254740993'],
  ['is.open:true', 'is.open:true'],
  ['timestamp:2026-01-15', 'timestamp:[2026-01-15T00:00:00.000Z TO 2026-01-15T23:59:59.999Z]'],
  ['timestamp:[now-1d TO *]', 'timestamp:[2026-03-17T14:30:15.250Z TO *]'],
  ['source.ip:"10.0.0.0/8"', 'source.ip:[10.0.0.0 TO 10.255.255.255]'],
  ['source.ip:10.0.0.5', 'source.ip:10.0.0.5'],
  ['_exists_:source.ip', '_exists_:source.ip'],
  ['source.ip:*', '_exists_:source.ip'],
  ['_exists_:source', '_exists_:source.ip'],
  ['_id:a', '_id:a'],
  ['status:op?n', 'status:op?n'],
  ['status:/ite+m [0-9]/', 'status:/ite+m [0-9]/'],
  ['status:item~2', 'status:item~2'],
  ['status:\\*a*', 'status:\\*a*'],
  ['labels.my\\ team:soc', 'labels.my\\ team:soc'],
  ['status:open^2', 'status:open'],
];

/** Queries that search nothing, or would be refused for the type of a value. */
const UNMATCHABLE: readonly (readonly [query: string, explanation: string])[] = [
  ['   ', 'MatchNoDocsQuery("The query has no terms.")'],
  ['nosuch:1', 'MatchNoDocsQuery("at position 7: No searchable field is named "nosuch".")'],
  ['_exists_:nosuch', 'MatchNoDocsQuery("at position 9: No searchable field is named "nosuch".")'],
  ['nosuch:*', 'MatchNoDocsQuery("at position 7: No searchable field is named "nosuch".")'],
  ['nosuch:/[/', 'MatchNoDocsQuery("at position 7: No searchable field is named "nosuch".")'],
  ['severity:abc', 'MatchNoDocsQuery("at position 9: The field severity holds numbers, and "abc" is none.")'],
  ['severity:1.5', 'MatchNoDocsQuery("at position 9: No document has this value in the field severity.")'],
];

describe('explainQuery', () => {
  for (const [query, explanation] of EXPLAINED) {
    it(`describes ${query} so that it reads as the same query`, () => {
      assert.equal(explain(query), explanation);
      const compile = (text: string) => compileQuery(text, SEARCHABLE, { now: NOW });
      assert.deepEqual(compile(explanation), compile(query));
    });
  }

  for (const [query, explanation] of UNMATCHABLE) {
    it(`says why ${JSON.stringify(query)} matches nothing`, () => assert.equal(explain(query), explanation));
  }

  it('keeps clauses that match nothing in their place', () => {
    assert.equal(
      explain('status:a AND (nosuch:1 OR status:b) -severity:x'),
      '+status:a +(MatchNoDocsQuery("at position 21: No searchable field is named "nosuch".") status:b) ' +
        '-MatchNoDocsQuery("at position 46: The field severity holds numbers, and "x" is none.")',
    );
  });

  it('names the first field of a pattern for each type that a value does not fit', () => {
    const explanation = explain('s\\*:abc');
    assert.match(explanation, /The field severity holds numbers/);
    assert.match(explanation, /(^| )status:abc( |$)/);
    assert.equal(explanation.match(/holds numbers/g)?.length, 2, explanation);
  });

  it('refuses what is malformed for every field, with the position', () => {
    for (const [query, at] of [
      ['(status:a', 9],
      ['severity:1 AND', 14],
      ['status:/[/', 7],
      ['message:"a b"~-1', 8],
      ['source.ip:10.0.0.0/8', 18],
    ] as const) {
      assert.throws(() => explain(query), { code: 'invalid_query', at }, query);
    }
  });

  it('refuses a phrase with a distance above two in a field of whole values alone', () => {
    assert.throws(() => explain('severity:1 AND (status:"saw item"~3)'), {
      code: 'invalid_query',
      at: 23,
      message: /holds whole values, and a phrase in it takes a distance of at most 2, not 3/,
    });
    for (const query of ['status:"saw item"~2', 'message:"saw item"~3', '"saw item"~3', 'nosuch:"saw item"~3'])
      explain(query);
  });

  it('has the limits of a search', () => {
    for (const query of [
      '('.repeat(1000),
      'a'.repeat(100_001),
      'a* '.repeat(33_000),
      'status:/(.{1,200}){1,100}/',
      'a* '.repeat(1_025),
      'status:a*b '.repeat(101),
      `${'a'.repeat(300)}~`,
    ]) {
      assert.throws(() => explain(query), { code: 'query_too_complex', kind: 'invalid_input' }, query.slice(0, 40));
    }
  });

  it('explains every query that can be searched, clauses without a field included', () => {
    const query = 'nosuch:a '.repeat(5_000);
    compileQuery(query, SEARCHABLE);
    assert.match(explain(query), /^MatchNoDocsQuery/);
  });

  it('shortens a long explanation between two characters', () => {
    const long = [
      `title:"${'😀'.repeat(49_000)}"`,
      `status:(${Array.from({ length: 10_000 }, (_, at) => `v${at}`).join(' OR ')})`,
      `\\*:"${'a'.repeat(99_000)}"`,
      `severity:"${'a'.repeat(99_000)}"`,
      `${'('.repeat(199)}status:${'a'.repeat(90_000)}*${')'.repeat(199)}`,
    ];
    for (const query of long) {
      const explanation = explain(query);
      assert.ok(explanation.length <= MAX_EXPLANATION_LENGTH + 2, query.slice(0, 40));
      assert.match(explanation, /[^\uFFFD] …$/);
      assert.ok(explanation.isWellFormed());
    }
  });

  it('shows dates beyond those of a Date as numbers', () => {
    assert.equal(explain('timestamp:{275760-09-13T00:00:00Z TO *]'), 'timestamp:[8640000000000001 TO *]');
  });
});
