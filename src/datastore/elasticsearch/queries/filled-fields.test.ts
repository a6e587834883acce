import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../../../documents/kinds/hit.ts';
import { allOf, not, type QueryNode } from '../../port/query-tree.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import type { EngineRequest, SearchEngine } from '../transport/search-engine.ts';
import { onFilledFields } from './filled-fields.ts';

/** A server of which only these fields have values; `asked` notes the fields of each request. */
function collectionWith(filled: Set<string>) {
  const asked: string[][] = [];
  const engine = {
    request: async ({ body }: EngineRequest) => {
      const { aggs } = body as { aggs: { filled: { filters: { filters: object } } } };
      const fields = Object.keys(aggs.filled.filters.filters);
      asked.push(fields);
      const buckets = Object.fromEntries(fields.map((field) => [field, { doc_count: filled.has(field) ? 3 : 0 }]));
      return { status: 200, body: { hits: { hits: [] }, aggregations: { filled: { buckets } } } };
    },
  } as unknown as SearchEngine;
  const limits = { transportTimeout: 10_000, requestBatchSize: 1, maxRequestSize: 1, taskPollTimeout: 1 };
  return { asked, context: { engine, alias: 'hits', definition: hitDocument, limits } };
}

function fieldsOf(node: QueryNode): readonly string[] {
  if (node.kind === 'boolean') return [...node.must, ...node.should, ...node.mustNot].flatMap(fieldsOf);
  return 'field' in node ? [node.field] : [];
}

const asking = (query: QueryNode) => ({ query, timeout: undefined, signal: undefined });
const everywhere = compileQuery('*five*', hitDocument, { defaultField: '*' });
const isIndexField = (path: string) => hitDocument.fieldByPath.get(path)?.type !== 'mapping';
const indexFieldsOf = (node: QueryNode) => fieldsOf(node).filter(isIndexField).sort();

describe('a query on many fields', () => {
  it('is sent for the fields that have a value, whenever they got it', async () => {
    const filled = new Set(['message', 'host.name']);
    const { context, asked } = collectionWith(filled);
    assert.deepEqual(indexFieldsOf(await onFilledFields(context, asking(everywhere))), ['host.name', 'message']);
    filled.add('user.name');
    const second = await onFilledFields(context, asking(everywhere));
    assert.deepEqual(indexFieldsOf(second), ['host.name', 'message', 'user.name']);
    const [first = [], later = []] = asked;
    assert.ok(first.length > 500);
    // A field that was seen with a value is not asked about again.
    assert.equal(later.length, first.length - 2);
  });

  it('stays the same question where nothing has a value', async () => {
    const { context } = collectionWith(new Set());
    const strings = indexFieldsOf(everywhere).map((field): QueryNode => ({ kind: 'exists', field }));
    const any: QueryNode = { kind: 'boolean', must: [], should: strings, mustNot: [] };
    assert.deepEqual(await onFilledFields(context, asking(any)), { kind: 'none' });
    const all = await onFilledFields(context, asking(allOf(any, { kind: 'all' }, { kind: 'ids', ids: ['1'] })));
    assert.deepEqual(all, { kind: 'none' });
    assert.deepEqual(await onFilledFields(context, asking(not(any))), not({ kind: 'none' }));
  });

  it('is not looked at where it has few fields', async () => {
    const { context, asked } = collectionWith(new Set());
    const query = compileQuery('host.name:x OR message:y', hitDocument);
    assert.equal(await onFilledFields(context, asking(query)), query);
    assert.deepEqual(asked, []);
  });
});
