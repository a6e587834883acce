import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSyntax } from '../../../../../src/datastore/query-language/query-parser.ts';
import { type CompletionSources, restOfQuery, suggestionsAt, withCounts } from './completions.ts';
import { queryFields } from './query-fields.ts';

const fields = queryFields({
  'event.created': { type: 'date' },
  'event.deleted': { type: 'boolean' },
  'howler.assignment': { type: 'keyword' },
  'howler.data': { type: 'keyword', indexed: false },
  'howler.status': { type: 'keyword', values: ['open', 'in-progress', 'on-hold'] },
  'source.ip': { type: 'ip' },
  status: { type: 'keyword' },
});
const sources: CompletionSources = {
  saved: () => [{ name: 'Mine', query: 'howler.assignment:me' }],
  history: () => ['source.ip:"10.0.0.1"'],
};

/** Completes at `|`. */
function complete(marked: string) {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = suggestionsAt(text, cursor, fields, sources);
  return found && { ...found, text, labels: found.suggestions.items.map(({ label }) => label) };
}

/** Returns the text after the completion with a label was chosen. */
function chosen(marked: string, label: string): string | undefined {
  const found = complete(marked);
  const item = found?.suggestions.items.find((one) => one.label === label);
  if (!found || !item) return undefined;
  const { from, to } = found.suggestions;
  return `${found.text.slice(0, from)}${item.insert}${found.text.slice(to)}`;
}

describe('completions of fields', () => {
  it('begin with what is typed, then have a part that does', () => {
    assert.deepEqual(complete('stat|')?.labels, ['status', 'howler.status']);
    assert.equal(chosen('stat|', 'howler.status'), 'howler.status:');
    assert.equal(chosen('a:b AND stat|us', 'howler.status'), 'a:b AND howler.status:');
  });

  it('leave out what cannot be searched', () => {
    assert.deepEqual(complete('howler.da|')?.labels, []);
  });

  it('are the names that _exists_ takes', () => {
    assert.equal(chosen('_exists_:source|', 'source.ip'), '_exists_:source.ip');
  });
});

describe('completions of operators', () => {
  it('follow a clause', () => {
    assert.deepEqual(complete('a:b |')?.labels, ['AND', 'OR', 'NOT']);
    assert.deepEqual(complete('a:b A|')?.labels.slice(0, 1), ['AND']);
    assert.equal(chosen('(a:b) o|', 'OR'), '(a:b) OR ');
  });

  it('are NOT alone elsewhere', () => {
    assert.deepEqual(
      complete('NO|')
        ?.suggestions.items.filter(({ kind }) => kind === 'operator')
        .map(({ label }) => label),
      ['NOT'],
    );
  });
});

describe('completions of values', () => {
  it('are those of an enum or a boolean', () => {
    assert.deepEqual(complete('howler.status:|')?.labels, ['open', 'in-progress', 'on-hold']);
    assert.equal(chosen('howler.status:o|', 'on-hold'), 'howler.status:on-hold');
    assert.deepEqual(complete('event.deleted:t|')?.labels, ['true']);
  });

  it('know their field inside parentheses, quotes and behind operators', () => {
    assert.deepEqual(complete('howler.status:(open OR i|)')?.labels, ['in-progress']);
    assert.equal(chosen('howler.status:"o|', 'open'), 'howler.status:open');
    assert.equal(chosen('howler.status:"o|"', 'open'), 'howler.status:open');
    assert.equal(complete('howler.status:(open OR (a OR |')?.place.field, 'howler.status');
    assert.equal(complete('(howler.status:open) AND x|')?.place.kind, 'field');
  });

  it('are written in a form that is read as the same value', () => {
    const place = complete('status:|')?.place;
    assert.ok(place);
    const items = withCounts([], [{ value: 'on "hold" (x)', count: 3 }, { value: 'AND' }], place);
    assert.deepEqual(
      items.map(({ insert, count }) => [insert, count]),
      [
        ['"on \\"hold\\" (x)"', 3],
        ['"AND"', undefined],
      ],
    );
  });

  it('are those of the server with counts, then those of the field that it did not count', () => {
    const found = complete('howler.status:|');
    assert.ok(found);
    const items = withCounts(found.suggestions.items, [{ value: 'on-hold', count: 2 }], found.place);
    assert.deepEqual(
      items.map(({ label, count }) => [label, count]),
      [
        ['on-hold', 2],
        ['open', undefined],
        ['in-progress', undefined],
      ],
    );
  });
});

describe('completions of dates', () => {
  for (const [typed, label, query] of [
    ['event.created:|', 'now-7d', 'event.created:>=now-7d'],
    ['event.created:now-7|', 'now-7d', 'event.created:>=now-7d'],
    ['event.created:>=n|', 'now-7d', 'event.created:>=now-7d'],
    ['event.created:|', 'now/d', 'event.created:[now/d TO now/d]'],
    ['event.created:[|', 'now-1d/d', 'event.created:[now-1d/d'],
    ['event.created:[now-7d TO n|]', 'now/d', 'event.created:[now-7d TO now/d]'],
  ] as const) {
    it(`turn ${typed} into ${query}`, () => {
      assert.equal(chosen(typed, label), query);
      if (!query.endsWith('/d')) assert.doesNotThrow(() => parseSyntax(query));
    });
  }

  it('offer nothing that a sign cannot stand before', () => {
    assert.equal(chosen('event.created:>=|', 'now/d'), undefined);
  });
});

describe('completions of whole queries', () => {
  it('are earlier ones and saved ones, while nothing else is typed', () => {
    assert.deepEqual(complete('|')?.labels.slice(0, 2), ['source.ip:"10.0.0.1"', 'Mine']);
    assert.equal(complete('min|')?.labels[0], 'Mine');
    assert.ok(!complete('a:b AND min|')?.labels.includes('Mine'));
  });
});

describe('the rest of a query, by which values are counted', () => {
  for (const [marked, rest] of [
    ['howler.status:op|', '*:*'],
    ['a:b AND howler.status:op|', 'a:b'],
    ['howler.status:op| AND a:b', 'a:b'],
    ['a:b AND NOT howler.status:op| OR c:d', 'a:b AND c:d'],
    ['(a:b AND howler.status:op|', '*:*'],
    ['howler.status:(open OR i|)', '*:*'],
  ] as const) {
    it(`of ${marked} is ${rest}`, () => {
      const found = complete(marked);
      assert.ok(found);
      assert.equal(restOfQuery(found.text, found.place), rest);
    });
  }
});
