import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEARCHABLE } from '../../testing/searchable-kind.ts';
import { MATCH_ALL, MATCH_NONE, type QueryNode } from '../port/query-tree.ts';
import { compileQuery } from './compile-query.ts';
import { parseAddress } from './ip-address.ts';
import { parseSyntax } from './query-parser.ts';
import type { ClauseSyntax } from './syntax-tree.ts';

const NOW = new Date('2026-03-18T14:30:15.250Z');
const compile = (text: string, defaultField: '__text__' | '*' = '__text__'): QueryNode =>
  compileQuery(text, SEARCHABLE, { defaultField, now: NOW });
const term = (field: string, value: string | number | bigint | boolean): QueryNode => ({ kind: 'term', field, value });

describe('compileQuery', () => {
  it('joins clauses from left to right, without precedence', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value) => term('status', value));
    assert.ok(a && b && c);
    assert.deepEqual(compile('status:a OR status:b AND status:c'), {
      kind: 'boolean',
      must: [b, c],
      should: [a],
      mustNot: [],
    });
    assert.deepEqual(compile('status:a AND status:b OR status:c'), {
      kind: 'boolean',
      must: [a, b],
      should: [c],
      mustNot: [],
    });
    assert.deepEqual(compile('NOT status:a'), { kind: 'boolean', must: [], should: [], mustNot: [a] });
    assert.deepEqual(compile('+status:a status:b -status:c'), {
      kind: 'boolean',
      must: [a],
      should: [b],
      mustNot: [c],
    });
  });

  it('gathers the values that one field may have', () => {
    assert.deepEqual(compile('status:(a OR b OR a)'), { kind: 'terms', field: 'status', values: ['a', 'b'] });
  });

  it('takes words in a row for one text', () => {
    assert.deepEqual(compile('status:(a b)'), term('status', 'a b'));
    assert.deepEqual(compile('quick brown'), { kind: 'terms', field: '__text__', values: ['quick', 'brown'] });
  });

  it('gives values the form that the index has', () => {
    assert.deepEqual(compile('title:"Suspicious ΣΑΣ"'), term('title', 'suspicious σασ'));
    assert.deepEqual(compile('bytes:9007199254740993'), term('bytes', 9007199254740993n));
    assert.deepEqual(compile('severity:443.0'), term('severity', 443));
    assert.deepEqual(compile('severity:443.5'), MATCH_NONE);
    assert.deepEqual(compile('score:0.1'), term('score', Math.fround(0.1)));
    assert.deepEqual(compile('is.open:true'), term('is.open', true));
    assert.deepEqual(compile('source.ip:10.0.0.5'), term('source.ip', parseAddress('10.0.0.5') ?? ''));
    assert.deepEqual(compile('_id:a'), { kind: 'ids', ids: ['a'] });
  });

  it('makes ranges of dates, networks and comparisons', () => {
    const range = (field: string, lower: string | number, upper: string | number): QueryNode => ({
      kind: 'range',
      field,
      lower: { value: lower, inclusive: true },
      upper: { value: upper, inclusive: true },
    });
    const day = Date.parse('2026-01-15T00:00:00Z');
    assert.deepEqual(compile('timestamp:2026-01-15'), range('timestamp', day, day + 86_399_999));
    assert.deepEqual(
      compile('timestamp:{2026-01-15 TO 2026-01-17}'),
      range('timestamp', day + 86_400_000, day + 2 * 86_400_000 - 1),
    );
    assert.deepEqual(
      compile('timestamp:[now-1d/d TO now]'),
      range('timestamp', Date.parse('2026-03-17T00:00:00Z'), NOW.getTime()),
    );
    assert.deepEqual(
      compile('source.ip:"10.0.0.0/8"'),
      range('source.ip', parseAddress('10.0.0.0') ?? '', parseAddress('10.255.255.255') ?? ''),
    );
    assert.deepEqual(compile('severity:>80.5'), {
      kind: 'range',
      field: 'severity',
      lower: { value: 81, inclusive: true },
    });
    assert.deepEqual(compile('severity:[* TO *]'), { kind: 'range', field: 'severity' });
    assert.deepEqual(compile('severity:>2147483647'), MATCH_NONE);
  });

  it('takes a day that the month does not have for its last one where the end of the day counts', () => {
    const endOfFebruary = Date.parse('2026-02-28T23:59:59.999Z');
    assert.deepEqual(compile('timestamp:>2026-02-30'), {
      kind: 'range',
      field: 'timestamp',
      lower: { value: endOfFebruary + 1, inclusive: true },
    });
    assert.deepEqual(compile('timestamp:<=2026-02-30'), {
      kind: 'range',
      field: 'timestamp',
      upper: { value: endOfFebruary, inclusive: true },
    });
  });

  it('ignores the negative distance of a phrase of one word', () => {
    assert.deepEqual(compile('"a"~-1'), term('__text__', 'a'));
    assert.deepEqual(compile('status:"a b"~-1'), term('status', 'a b'));
    assert.equal(compile('message:"a b"~-0.5').kind, 'phrase');
  });

  it('lower-cases patterns on text, and regular expressions only where a keyword is', () => {
    assert.deepEqual(compile('message:QUI*'), { kind: 'prefix', field: 'message', value: 'qui' });
    assert.deepEqual(compile('message:QU?\\CK'), { kind: 'wildcard', field: 'message', pattern: 'qu?\\Ck' });
    assert.deepEqual(compile('message:/QU./'), { kind: 'regexp', field: 'message', pattern: 'QU.' });
    assert.deepEqual(compile('title:/QU./'), { kind: 'regexp', field: 'title', pattern: 'qu.' });
    assert.deepEqual(compile('status:QU*'), { kind: 'prefix', field: 'status', value: 'QU' });
  });

  it('grants fuzzy terms more edits the longer they are', () => {
    for (const [text, maxEdits] of [
      ['abc~', 1],
      ['abcdef~', 2],
      ['ab~1', 1],
      ['abcdef~AUTO', 2],
    ] as const) {
      assert.deepEqual(compile(`status:${text}`), {
        kind: 'fuzzy',
        field: 'status',
        value: text.replace(/~.*/, ''),
        maxEdits,
      });
    }
    assert.deepEqual(compile('status:ab~'), term('status', 'ab'));
  });

  it('knows existence by field, object, pattern and star', () => {
    const exists = (field: string): QueryNode => ({ kind: 'exists', field });
    assert.deepEqual(compile('_exists_:status'), exists('status'));
    assert.deepEqual(compile('status:*'), exists('status'));
    assert.deepEqual(compile('*'), exists('__text__'));
    assert.deepEqual(compile('*:*'), MATCH_ALL);
    assert.deepEqual(compile('*', '*'), MATCH_ALL);
    assert.deepEqual(compile('_exists_:labels.team'), exists('labels.team'));
    assert.deepEqual(compile('_exists_:labels'), exists('labels'));
    const both: QueryNode = {
      kind: 'boolean',
      must: [],
      should: [exists('comment.value'), exists('comment.user')],
      mustNot: [],
    };
    assert.deepEqual(compile('_exists_:comment'), both);
    assert.deepEqual(compile('comment.\\*:*'), both);
    assert.deepEqual(compile('_exists_:raw'), MATCH_NONE);
  });

  it('looks a pattern of names up in every field that it fits', () => {
    assert.deepEqual(compile('hash.\\*:AB'), {
      kind: 'boolean',
      must: [],
      should: [term('hash.ssdeep', 'AB'), term('hash.md5', 'ab')],
      mustNot: [],
    });
  });

  it('finds nothing in fields that are not there, and in nothing', () => {
    for (const text of [
      'nosuch:x',
      'nosuch:[1 TO 2]',
      'nosuch:/[/',
      'comment:x',
      'labels:x',
      'nosuch.\\*:x',
      '',
      ' \t\n',
      '"..."',
      '_exists_:nosuch',
    ]) {
      assert.deepEqual(compile(text), MATCH_NONE, text);
    }
    assert.deepEqual(compile('labels.team:soc'), term('labels.team', 'soc'));
  });

  it('drops clauses without a word out of their group', () => {
    assert.deepEqual(compile('status:a AND "..."'), term('status', 'a'));
    assert.deepEqual(compile('status:a OR (... .. AND "!")'), term('status', 'a'));
  });

  it('with the default field * asks all fields, and forgives values that do not fit', () => {
    assert.deepEqual(compile('severity:abc', '*'), MATCH_NONE);
    const node = compile('443', '*');
    assert.ok(node.kind === 'boolean');
    const fields = node.should.map((inner) => ('field' in inner ? inner.field : inner.kind));
    for (const field of ['severity', 'bytes', 'score', 'message', 'status']) assert.ok(fields.includes(field), field);
    for (const field of ['source.ip', 'is.open', '__text__', 'raw']) assert.ok(!fields.includes(field), field);
  });

  it('says where each clause ends, with its boost', () => {
    const text = 'one two AND "a b"~2^3 (c* OR [1 TO 2]) x:/r/ f~1';
    const ends = (clauses: readonly ClauseSyntax[]): string[] =>
      clauses.flatMap(({ node }) => (node.kind === 'group' ? ends(node.clauses) : [text.slice(node.at, node.end)]));
    assert.deepEqual(ends(parseSyntax(text).clauses), ['one', 'two', '"a b"~2^3', 'c*', '[1 TO 2]', '/r/', 'f~1']);
    const [words] = parseSyntax('one two').clauses;
    assert.deepEqual(words?.node.kind === 'words' && [words.node.at, words.node.end], [0, 7]);
  });

  it('reads the syntax alone without fields', () => {
    assert.equal(parseSyntax('severity:abc AND nosuch:1').clauses.length, 2);
    assert.throws(() => parseSyntax('(a'), { code: 'invalid_query', at: 2 });
  });
});

/** Text, position, what the sentence says. */
const ERRORS: readonly (readonly [string, number, RegExp])[] = [
  ['status:', 7, /ends where a value or a closing bracket is needed/],
  ['(status:a', 9, /ends where/],
  ['status:a)', 8, /^Unexpected \)/],
  ['a AND OR b', 6, /^Unexpected OR .*quotes/],
  ['severity:-5', 9, /^Unexpected -/],
  ['a:b:c', 3, /^Unexpected :/],
  ['http:/evil.example', 5, /regular expression that is never closed.*\\\//],
  ['a "b', 2, /quoted phrase is never closed/],
  ['a]', 1, /Nothing is open that \] could close/],
  ['a\\', 1, /ends with a backslash/],
  ['a^x', 2, /boost is a number/],
  ['a~3', 1, /fuzzy amount ~3/],
  ['[1 2]', 3, /TO in capitals/],
  ['a \\u12', 2, /four hexadecimal digits/],
  ['x AND severity:abc', 15, /^The field severity holds numbers, and "abc" is none\.$/],
  ['severity:[1 TO 99999999999]', 9, /from -2147483648 to 2147483647/],
  ['is.open:TRUE', 8, /holds true or false/],
  ['timestamp:yesterday', 10, /holds dates, and "yesterday" is none such as/],
  ['timestamp:[now+1q TO *]', 10, /date math of "now\+1q"/],
  ['source.ip:x', 10, /holds addresses, and "x" is none/],
  ['source.ip:"10.0.0.0\\/33"', 10, /not a network such as/],
  ['severity:4*', 9, /need a keyword or text field/],
  ['severity:4~', 9, /does not take fuzzy terms/],
  ['status:/[/', 7, /malformed regular expression: it ends too early/],
  ['message:"a b"~-1', 8, /phrase with the negative distance -1/],
  ['timestamp:<2026-02-30', 10, /holds dates, and "2026-02-30" is none/],
  ['timestamp:>=2026-02-30', 10, /holds dates, and "2026-02-30" is none/],
  ['raw:x', 4, /is stored and cannot be searched/],
  ['_id:a*', 4, /does not take this kind of query/],
  ['a\0b', 1, /NUL/],
  ['a\ud800', 1, /surrogate/],
  ['\\ud800', 0, /surrogate/],
];

const TOO_COMPLEX: readonly (readonly [string, number | undefined, RegExp])[] = [
  ['('.repeat(1000), 200, /more than 200 deep/],
  ['a'.repeat(100_001), 100_000, /at most 100000 /],
  ['a* '.repeat(33_000), 98_304, /more than 32768 clauses/],
  ['a '.repeat(40_000), 0, /more than 32768 clauses, words and fields/],
  ['status:/(.{1,200}){1,100}/', undefined, /more than 125000 steps/],
  ['status:*a'.padEnd(40, '?'), undefined, /more than 125000 steps/],
  ['xy\\*:a '.repeat(14_000), undefined, /more than 125000 steps/],
  ['a* '.repeat(1_025), undefined, /has 1025 conditions, and at most 1024/],
  [Array.from({ length: 1_025 }, (_, at) => `w${at}`).join(' '), undefined, /has 1025 conditions, and at most 1024/],
  ['status:a*b '.repeat(101), undefined, /has 101 patterns, and at most 100/],
  [`${'a'.repeat(300)}~`, undefined, /longer than 256 characters/],
  [`"${'a b '.repeat(40)}"~2`, undefined, /more than 64 words/],
];

describe('a query that is too complex', () => {
  for (const [text, at, sentence] of TOO_COMPLEX) {
    it(`is refused with the limit: ${JSON.stringify(text.slice(0, 40))}`, () => {
      const expected = { code: 'query_too_complex', kind: 'invalid_input', at, message: sentence };
      assert.throws(() => compile(text), expected);
      assert.throws(() => compile(text), /^InvalidInput: The query is too complex: /);
    });
  }

  it('is allowed up to the limits', () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `w${at}`);
    assert.equal(compile(`status:(${words.join(' OR ')})`).kind, 'terms');
    compile('a* '.repeat(1_024));
    compile('status:a*b '.repeat(100));
    compile('status:*\\*a* '.repeat(1_024));
    compile('status:/.*[eE][vV]\\.l.*/ '.replace('l', '[lL]').repeat(1_024));
    compile(`"${'a b '.repeat(32)}"~2`);
    compile(`"${'a b '.repeat(2000)}"`);
    compile(`${'('.repeat(200)}a${')'.repeat(200)}`);
  });
});

describe('a query that cannot be read', () => {
  for (const [text, at, sentence] of ERRORS) {
    it(`is refused with its position: ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.throws(() => compile(text), { code: 'invalid_query', kind: 'invalid_input', at, message: sentence });
    });
  }
});
