import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { type FieldFilter, type Filter, rangeFilter, valueFilter, valuesFilter, withFilter } from './filter.ts';
import { filterQuery, inverted, readFilter, writeFilter } from './filter-query.ts';

const anyString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'\\"/*?:()[]{}~^+-!&|<>= \t\nTOANDu0041é'), maxLength: 12 }),
  fc.constantFrom('AND', 'OR', 'NOT', 'TO', '*', '>5', '<=now', '\\', 'a\\', '"', '-1', '', '~a', '/x/', 'NOT (a)'),
);
/** Names that are no pattern, which `*` makes them. */
const fieldName = anyString.map((text) => text.toWellFormed().replaceAll(/[*\0]/g, '')).filter(isFieldName);

const bound = fc.option(fc.record({ text: anyString, inclusive: fc.boolean() }), { nil: undefined });
const excluded = fc.record({ excluded: fc.boolean() });
const fieldFilter: fc.Arbitrary<FieldFilter> = fc.oneof(
  fc.tuple(fieldName, fc.option(anyString), excluded).map(([field, value, sign]) => valueFilter(field, value, sign)),
  fc.tuple(fieldName, fc.array(anyString), excluded).map(([field, values, sign]) => valuesFilter(field, values, sign)),
  fc
    .tuple(fieldName, bound, bound, excluded)
    .map(([field, lower, upper, sign]) => rangeFilter(field, { lower, upper }, sign)),
);
const anyFilter: fc.Arbitrary<Filter> = fc
  .tuple(fieldFilter, fc.boolean())
  .map(([filter, off]): Filter => ({ ...filter, off }));

function isFieldName(name: string): boolean {
  return name !== '' && name !== '_exists_';
}

describe('filters as strings', () => {
  it('are read back as they were, for any value', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        assert.deepEqual(plain(readFilter(writeFilter(filter))), plain(filter));
      }),
      { numRuns: 5_000 },
    );
  });

  it('are one clause of a valid query, for any value', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        assert.equal(parseSyntax(filterQuery(filter)).clauses.length, 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keep any query as it is', () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const once = readFilter(text);
        assert.deepEqual(plain(readFilter(writeFilter(once))), plain(once));
        if (once.kind === 'query' && !once.excluded && !once.off) assert.equal(once.text, text);
      }),
      { numRuns: 2_000 },
    );
  });

  for (const [query, written] of Object.entries({
    'howler.status:open': 'howler.status:open',
    'howler.status:"open"': 'howler.status:open',
    '+howler.status:open': 'howler.status:open',
    '-howler.status:open': 'NOT howler.status:open',
    'NOT howler.status:"on hold"': 'NOT howler.status:"on hold"',
    'source.ip:*': '_exists_:source.ip',
    'NOT _exists_:source.ip': 'NOT _exists_:source.ip',
    'event.severity:>=3': 'event.severity:[3 TO *]',
    'event.severity:[2 TO 5}': 'event.severity:[2 TO 5}',
    'howler.status:(open OR "on-hold")': 'howler.status:(open OR on-hold)',
    '(howler.status:open OR howler.status:on-hold)': 'howler.status:(open OR on-hold)',
    'source.ip:"::1"^2': 'source.ip:"::1"',
  })) {
    it(`reads ${query} as a condition of one field`, () => {
      const filter = readFilter(query);
      assert.equal(filter.kind, 'field');
      assert.equal(filterQuery(filter), written);
    });
  }

  for (const query of [
    'a:b AND c:d',
    'a:b OR a:c',
    'a:(b c)',
    'a:(b AND c)',
    'a:(b OR c:d)',
    'a:(b OR -c)',
    'a:b*',
    'a:b~1',
    'a:"b c"~2',
    'a:/b/',
    'word',
    '\\*.ip:10.0.0.1',
    '_exists_:a*',
    'a:"unclosed',
    '',
  ]) {
    it(`reads ${query || 'an empty string'} as a query`, () => {
      assert.deepEqual(readFilter(query), { kind: 'query', text: query, excluded: false, off: false });
    });
  }
});

describe('the opposite of a filter', () => {
  it('is written with NOT, and is the filter again when inverted twice', () => {
    for (const query of ['a:b', 'a:b AND c:d', 'a:[1 TO 2]', '_exists_:a', 'word']) {
      const opposite = inverted(readFilter(query));
      assert.equal(parseSyntax(filterQuery(opposite)).clauses[0]?.modifier, 'prohibited');
      assert.deepEqual(readFilter(writeFilter(opposite)), opposite);
      assert.deepEqual(inverted(opposite), readFilter(query));
    }
  });

  it('does not exist for a query that cannot be read', () => {
    const broken = readFilter('a:b) OR (c:d');
    assert.equal(inverted(broken), broken);
  });
});

describe('values of every type', () => {
  for (const [value, written] of [
    ['10.0.0.1', 'f:10.0.0.1'],
    ['2001:db8::1', 'f:"2001:db8::1"'],
    [-5, 'f:"-5"'],
    [0.1, 'f:0.1'],
    [12345678901234567890n, 'f:12345678901234567890'],
    [true, 'f:true'],
    [new Date(0), 'f:"1970-01-01T00:00:00.000Z"'],
    ['C:\\Windows', 'f:"C:\\\\Windows"'],
    [null, 'NOT _exists_:f'],
    [undefined, 'NOT _exists_:f'],
  ] as const) {
    it(`writes ${String(value)} as ${written}`, () => assert.equal(filterQuery(valueFilter('f', value)), written));
  }

  it('asks for the field when a missing value is excluded', () => {
    assert.equal(filterQuery(valueFilter('f', null, { excluded: true })), '_exists_:f');
  });
});

describe('adding a filter', () => {
  it('replaces the same condition, also an excluded one', () => {
    const filters = [valueFilter('a', '1'), valueFilter('b', '1')];
    assert.deepEqual(withFilter(filters, valueFilter('a', '1', { excluded: true })).map(filterQuery), [
      'b:1',
      'NOT a:1',
    ]);
    assert.deepEqual(withFilter(filters, valueFilter('a', '2')).map(filterQuery), ['a:1', 'b:1', 'a:2']);
  });
});

function plain(filter: Filter): unknown {
  return JSON.parse(JSON.stringify(filter));
}
