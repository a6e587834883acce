import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chunksOf, type EngineWrite, linesOf } from './engine-writes.ts';

const ALIAS = { alias: 'svc-hit', isIndex: false };

describe('the lines of a bulk request', () => {
  it('go to the alias, which has to be one, or to an index under a condition', () => {
    const writes: EngineWrite[] = [
      { id: 'a"\n', index: undefined, action: 'create', source: '{"id":"a"}' },
      {
        id: 'b',
        index: 'svc-hit-000001',
        action: 'index',
        source: '{}',
        condition: { seq: 9007199254740993n, term: 2 },
      },
      { id: 'c', index: 'svc-hit-000001', action: 'delete' },
    ];
    const lines = [...linesOf(writes, ALIAS)];
    assert.deepEqual(lines, [
      '{"create":{"_index":"svc-hit","_id":"a\\"\\n","require_alias":true}}',
      '{"id":"a"}',
      '{"index":{"_index":"svc-hit-000001","_id":"b","if_seq_no":9007199254740993,"if_primary_term":2}}',
      '{}',
      '{"delete":{"_index":"svc-hit-000001","_id":"c"}}',
    ]);
    for (const line of lines) JSON.parse(line);
  });

  it('go to an index that bears the name of the alias', () => {
    const [line] = linesOf([{ id: 'a', index: undefined, action: 'index', source: '{}' }], { ...ALIAS, isIndex: true });
    assert.equal(line, '{"index":{"_index":"svc-hit","_id":"a"}}');
  });
});

describe('the size of bulk requests', () => {
  const writes = (count: number, bytes: number): EngineWrite[] =>
    Array.from({ length: count }, (_, at) => ({
      id: `${at}`,
      index: undefined,
      action: 'index',
      source: 'é'.repeat(bytes / 2),
    }));

  it('is bounded by documents', () => {
    const chunks = chunksOf(writes(25, 10), { requestBatchSize: 10, maxRequestSize: 100_000_000 });
    assert.deepEqual(
      chunks.map((chunk) => chunk.length),
      [10, 10, 5],
    );
    assert.deepEqual(chunks.flat(), [...Array(25).keys()]);
  });

  it('is bounded by bytes, and one that is larger goes alone', () => {
    const sizes = [1000, 1000, 9000, 1000, 1000]
      .map((bytes) => writes(1, bytes)[0])
      .filter((write) => write !== undefined);
    const chunks = chunksOf(sizes, { requestBatchSize: 10, maxRequestSize: 3000 });
    assert.deepEqual(chunks, [[0, 1], [2], [3, 4]]);
    assert.deepEqual(chunksOf([], { requestBatchSize: 10, maxRequestSize: 3000 }), []);
  });

  it('stays well below a generous limit', () => {
    const chunks = chunksOf(writes(20, 1_000_000), { requestBatchSize: 500, maxRequestSize: 100_000_000 });
    assert.ok(chunks.length >= 3 && chunks.length <= 4, `${chunks.length} requests for 20 MB`);
  });
});
