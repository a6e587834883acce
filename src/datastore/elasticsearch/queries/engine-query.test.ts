import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
// JSON.stringify writes bigint once this module is loaded, as it is in the program.
import '../../../json/lossless-json.ts';
import { thingDefinition } from '../../conformance/things.ts';
import { checkedSelection } from '../../port/checked-requests.ts';
import { bestOf, boosted, MATCH_ALL, not, type QueryNode, withScore } from '../../port/query-tree.ts';
import { type ReadAccess, unrestricted } from '../../port/read-access.ts';
import { engineQuery } from './engine-query.ts';
import { joinedAlternatives } from './joined-alternatives.ts';

const THINGS = thingDefinition();
const EVERYTHING = unrestricted('the test asks how queries are written');
const ELASTICSEARCH = { engine: { vendor: 'elasticsearch', version: '8.19.0' } } as const;

/** The one clause that a query becomes. */
function dsl(node: QueryNode): unknown {
  const query = engineQuery(checkedSelection(THINGS, { query: node }, EVERYTHING), THINGS, ELASTICSEARCH);
  return (query.bool as { readonly filter: readonly unknown[] }).filter[0];
}

describe('queries for a search engine', () => {
  it('keep what the caller may see apart, and do without it where nothing is classified', () => {
    const access: ReadAccess = {
      filter: { kind: 'range', field: '__access_lvl__', upper: { value: 100, inclusive: true } },
      username: undefined,
      admits: () => false,
    };
    const selection = { query: { kind: 'term', field: 'name', value: 'x' }, filters: [MATCH_ALL] } as const;
    const classified = thingDefinition({ classified: true });
    assert.deepEqual(engineQuery(checkedSelection(classified, selection, access), classified, ELASTICSEARCH), {
      bool: { filter: [{ term: { name: { value: 'x' } } }, { range: { __access_lvl__: { lte: 100n } } }] },
    });
    assert.deepEqual(engineQuery(checkedSelection(THINGS, selection, access), THINGS, ELASTICSEARCH), {
      bool: { filter: [{ term: { name: { value: 'x' } } }] },
    });
    assert.deepEqual(engineQuery(checkedSelection(THINGS, { query: MATCH_ALL }, access), THINGS, ELASTICSEARCH), {
      match_all: {},
    });
  });

  it('ask without scores, regardless of the text', () => {
    const text = '"}}]} OR *:* \\';
    assert.deepEqual(dsl({ kind: 'term', field: 'name', value: text }), { term: { name: { value: text } } });
    assert.deepEqual(
      dsl({
        kind: 'boolean',
        must: [{ kind: 'exists', field: 'port' }],
        should: [{ kind: 'all' }],
        mustNot: [{ kind: 'prefix', field: 'name', value: text }],
      }),
      { bool: { filter: [{ exists: { field: 'port' } }], must_not: [{ prefix: { name: { value: text } } }] } },
    );
    assert.deepEqual(dsl(not({ kind: 'none' })), { bool: { must_not: [{ match_none: {} }] } });
  });

  it('send numbers in all their digits', () => {
    const query = dsl({ kind: 'terms', field: 'size', values: [9223372036854775807n, -9223372036854775808n] });
    assert.equal(JSON.stringify(query), '{"terms":{"size":[9223372036854775807,-9223372036854775808]}}');
  });

  it('find nothing by a number that the field cannot hold, which servers may refuse', () => {
    for (const [field, value] of [
      ['port', 2 ** 31],
      ['port', 1.5],
      ['size', 2n ** 63n],
      ['score', Number.NaN],
      ['score', 1e39],
      ['secret', 'x'],
      ['nothing', 'x'],
    ] as const) {
      assert.deepEqual(dsl({ kind: 'term', field, value }), { match_none: {} }, `${field} ${value}`);
    }
    const above = (value: number | bigint) =>
      ({ kind: 'range', field: 'port', lower: { value, inclusive: false } }) as const;
    assert.deepEqual(dsl(above(2 ** 31 - 1)), { match_none: {} });
    assert.deepEqual(dsl(above(-(2n ** 40n))), { exists: { field: 'port' } });
    assert.deepEqual(dsl(above(1.5)), { range: { port: { gte: 2n } } });
    assert.deepEqual(dsl(above(Number.POSITIVE_INFINITY)), { match_none: {} });
  });

  it('take 0 and -0 for one number', () => {
    assert.deepEqual(dsl({ kind: 'term', field: 'score', value: 0 }), { range: { score: { gte: '-0.0', lte: 0 } } });
    const below = { kind: 'range', field: 'score', upper: { value: 0, inclusive: false } } as const;
    assert.deepEqual(dsl(below), { range: { score: { lt: '-0.0' } } });
  });

  it('send dates and addresses as the server reads them', () => {
    const seen = { kind: 'term', field: 'seen', value: Date.parse('1969-12-31T23:59:59Z') } as const;
    const time = '1969-12-31T23:59:59.000Z';
    assert.deepEqual(dsl(seen), {
      range: { seen: { gte: time, lte: time, format: 'strict_date_optional_time' } },
    });
    const late = { kind: 'range', field: 'seen', lower: { value: 8.64e15, inclusive: false } } as const;
    assert.deepEqual(dsl(late), { range: { seen: { gte: 8640000000000001n, format: 'epoch_millis' } } });
    const address = { kind: 'term', field: 'address', value: '00000000000000000000ffff0a000001' } as const;
    assert.deepEqual(dsl(address), { term: { address: { value: '10.0.0.1' } } });
  });

  it('split lists that are longer than a clause takes', () => {
    const values = Array.from({ length: 65_537 }, (_, index) => `v${index}`);
    const { bool } = dsl({ kind: 'terms', field: 'name', values }) as {
      readonly bool: { readonly should: readonly { readonly terms: { readonly name: readonly string[] } }[] };
    };
    assert.deepEqual(
      bool.should.map(({ terms }) => terms.name.length),
      [65_536, 1],
    );
  });

  it('look into all keys of a mapping that the index has', () => {
    const selection = { query: { kind: 'term', field: 'labels', value: 'x' } } as const;
    const keys = new Map([['labels', ['labels.a', 'labels.b']]]);
    assert.deepEqual(engineQuery(checkedSelection(THINGS, selection, EVERYTHING), THINGS, { ...ELASTICSEARCH, keys }), {
      bool: {
        filter: [
          {
            bool: {
              should: [{ term: { 'labels.a': { value: 'x' } } }, { term: { 'labels.b': { value: 'x' } } }],
              minimum_should_match: 1,
            },
          },
        ],
      },
    });
  });
});

describe('scores of a search engine', () => {
  const scored = (node: QueryNode) =>
    engineQuery(checkedSelection(THINGS, { query: node }, EVERYTHING), THINGS, { ...ELASTICSEARCH, scored: true });
  const term = { kind: 'term', field: 'name', value: 'x' } as const;
  const clause = { term: { name: { value: 'x' } } };

  it('are left to the server, as the nodes of the query say', () => {
    assert.deepEqual(scored(term), { bool: { must: [clause], filter: [{ match_all: {} }] } });
    const { must } = scored(bestOf(boosted(term, 4), withScore(not(term), 0.5))).bool as { must: unknown };
    assert.deepEqual(must, [
      {
        dis_max: {
          queries: [
            { bool: { must: [clause], should: [], must_not: [], minimum_should_match: 0, boost: 4 } },
            { constant_score: { filter: { bool: { filter: [{ bool: { must_not: [clause] } }] } }, boost: 0.5 } },
          ],
          boost: 1,
        },
      },
    ]);
  });

  it('do not come from the access', () => {
    const filter: QueryNode = { kind: 'range', field: '__access_lvl__', upper: { value: 100, inclusive: true } };
    const classified = thingDefinition({ classified: true });
    const selection = checkedSelection(
      classified,
      { query: term },
      { filter, username: undefined, admits: () => false },
    );
    const query = engineQuery(selection, classified, { ...ELASTICSEARCH, scored: true });
    assert.deepEqual(query, { bool: { must: [clause], filter: [{ range: { __access_lvl__: { lte: 100n } } }] } });
  });
});

describe('queries for OpenSearch', () => {
  const OPENSEARCH = { engine: { vendor: 'opensearch', version: '3.8.0' } } as const;
  const sent = (query: QueryNode, scored = false) =>
    engineQuery(checkedSelection(THINGS, { query }, EVERYTHING), THINGS, { ...OPENSEARCH, scored });
  /** Too long to be joined. */
  const alternatives = Array.from(
    { length: 600 },
    (_, at): QueryNode => ({ kind: 'wildcard', field: 'name', pattern: `${'x'.repeat(20)}${at}*` }),
  );
  const anyOf = (should: readonly QueryNode[]): QueryNode => ({ kind: 'boolean', must: [], should, mustNot: [] });
  const both = (first: QueryNode, second: QueryNode): QueryNode => ({
    kind: 'boolean',
    must: [first, second],
    should: [],
    mustNot: [],
  });

  it('have alternatives counted apart where all together are too many', () => {
    const one = JSON.stringify(sent(anyOf(alternatives)));
    assert.doesNotMatch(one, /function_score/);
    const two = JSON.stringify(sent(both(anyOf(alternatives), anyOf(alternatives))));
    assert.equal(two.match(/function_score/g)?.length, 2);
    const fuzzy = Array.from(
      { length: 10 },
      (): QueryNode => ({ kind: 'fuzzy', field: 'name', value: 'x', maxEdits: 1 }),
    );
    const scored = bestOf(...fuzzy, withScore(anyOf(alternatives), 0.5));
    assert.equal(JSON.stringify(sent(scored, true)).match(/function_score/g)?.length, 1);
  });

  it('score terms as Elasticsearch does, beside constant scores', () => {
    const scores = (query: QueryNode) => (sent(query, true).bool as { must: unknown }).must;
    const raised = (clause: object) => [{ bool: { must: [clause], boost: 2.2 } }];
    const similar = { value: 'x', fuzziness: '0', max_expansions: 50, transpositions: true };
    // A term query of a keyword has a constant score.
    assert.deepEqual(scores({ kind: 'term', field: 'name', value: 'x' }), raised({ fuzzy: { name: similar } }));
    const phrase = { note: { query: 'a b', slop: 0, analyzer: 'whitespace' } };
    assert.deepEqual(
      scores({ kind: 'phrase', field: 'note', terms: ['a', 'b'], slop: 0 }),
      raised({ match_phrase: phrase }),
    );
    const prefix = { kind: 'prefix', field: 'name', value: 'x' } as const;
    assert.deepEqual(scores(prefix), [{ prefix: { name: { value: 'x' } } }]);
    const address = { kind: 'term', field: 'address', value: '00000000000000000000ffff0a000001' } as const;
    assert.deepEqual(scores(address), [{ term: { address: { value: '10.0.0.1' } } }]);
  });
});

describe('many alternatives for a search engine', () => {
  const wildcards = Array.from(
    { length: 600 },
    (_, index): QueryNode => ({
      kind: 'wildcard',
      field: index % 2 ? 'name' : 'title',
      pattern: `*a.b${index}?`,
    }),
  );
  const joined = (nodes: readonly QueryNode[]) => joinedAlternatives(nodes, THINGS);

  it('become one regular expression for each field', () => {
    const few = wildcards.slice(0, 500);
    assert.equal(joined(few), few);
    const rest = Array.from({ length: 510 }, (_, value): QueryNode => ({ kind: 'term', field: 'port', value }));
    const patterns = wildcards.slice(0, 2);
    const nodes: QueryNode[] = [
      ...patterns,
      { kind: 'prefix', field: 'name', value: 'c d' },
      { kind: 'terms', field: 'name', values: ['e|f', '1'] },
      ...rest,
    ];
    assert.deepEqual(joined(nodes), [
      patterns[0],
      { kind: 'regexp', field: 'name', pattern: '.*a\\.b1.|c\\ d.*|e\\|f|1' },
      ...rest,
    ]);
  });

  it('stay as they are where the expression would be too long', () => {
    assert.deepEqual(joined(wildcards), wildcards);
  });
});

describe('phrases for a search engine', () => {
  const phrase = (terms: readonly string[], slop = 0): unknown => dsl({ kind: 'phrase', field: 'note', terms, slop });

  it('go as words', () => {
    assert.deepEqual(phrase(['quick', 'fox'], 2), {
      match_phrase: { note: { query: 'quick fox', slop: 2, analyzer: 'whitespace' } },
    });
    assert.deepEqual(phrase(['fox']), { term: { note: { value: 'fox' } } });
    assert.deepEqual(phrase([]), { match_none: {} });
    const begun = dsl({ kind: 'phrase', field: 'note', terms: ['quick', 'fo'], slop: 0, lastIsPrefix: true });
    assert.deepEqual(begun, {
      match_phrase_prefix: { note: { query: 'quick fo', slop: 0, analyzer: 'whitespace' } },
    });
  });
});
