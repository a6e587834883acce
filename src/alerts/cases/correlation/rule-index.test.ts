import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileQuery } from '../../../datastore/query-language/compile-query.ts';
import { indexedValues } from '../../../datastore/query-language/indexed-values.ts';
import { matchesIndexed } from '../../../datastore/query-language/matches.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { RuleIndex } from './rule-index.ts';

const aRule = (query: string) => ({ query, node: compileQuery(query, hitDocument) });
const aDocument = (fields: object) => indexedValues(hitDocument, fields as unknown as Hit);

const DOCUMENTS = [
  { howler: { id: 'h1', analytic: 'Mail', score: 5 }, message: 'one', tags: ['a', 'b'] },
  { howler: { id: 'h2', analytic: 'Web', score: 50 }, message: 'two', source: { ip: '10.0.0.7' } },
  { howler: { id: 'h3', analytic: 'web' }, tags: ['b'], event: { created: '2025-01-01T00:00:00.000000Z' } },
  {},
].map(aDocument);

/** Queries with a value that they require, and those without. */
const SELECTIVE = [
  'message:one',
  'message:"one"',
  'howler.analytic:Web',
  'howler.id:h2',
  'tags:(a OR b)',
  'message:one OR howler.analytic:mail',
  'tags:b AND howler.score:[1 TO 10]',
  'tags:b AND NOT message:one',
  '(message:one AND tags:z) OR source.ip:10.0.0.7',
  '_id:h1',
];
const OTHERS = [
  'howler.score:[10 TO *]',
  'message:o*',
  'NOT message:one',
  '*:*',
  'message:one OR message:t*',
  '-tags:a',
];

describe('the index of rules', () => {
  const rules = [...SELECTIVE, ...OTHERS].map(aRule);
  const index = new RuleIndex(rules);

  it('has every rule that matches a document among its candidates', () => {
    for (const document of DOCUMENTS) {
      const candidates = index.candidates(document);
      for (const rule of rules) {
        if (matchesIndexed(rule.node, document)) assert.ok(candidates.has(rule), rule.query);
      }
    }
    assert.ok(rules.every(({ node }) => DOCUMENTS.some((document) => matchesIndexed(node, document))));
  });

  it('leaves out rules whose value a document does not have', () => {
    const candidates = index.candidates(aDocument({ message: 'other', howler: { score: 3, id: 'h9' } }));
    assert.deepEqual(
      [...candidates].map(({ query }) => query),
      OTHERS,
    );
  });

  it('is not slowed down by many rules that cannot match', () => {
    const many = Array.from({ length: 5000 }, (_, n) =>
      aRule(`howler.analytic:"analytic ${n}" AND howler.score:[1 TO *]`),
    );
    const large = new RuleIndex(many);
    assert.equal(large.candidates(aDocument({ howler: { analytic: 'analytic 77' } })).size, 1);
  });
});
