import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { ALL, EVERYTHING, fill, found, series, thingDefinition } from '../../conformance/things.ts';
import { checkedPage } from '../../port/checked-requests.ts';
import type { Collection } from '../../port/collection.ts';
import type { Datastore } from '../../port/datastore.ts';
import type { Selection } from '../../port/search.ts';
import { compileQuery } from '../../query-language/compile-query.ts';
import type { CollectionContext } from '../collection-context.ts';
import { clusterSubjects } from '../conformance-subjects.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';
import type { EngineRequest, SearchEngine } from '../transport/search-engine.ts';
import { searchDocuments } from './pages.ts';

for (const { name, open, reopen, unavailable } of clusterSubjects()) {
  describe(`searches on ${name}`, unavailable === undefined ? {} : { skip: unavailable }, () => {
    let store: Datastore;
    before(async () => {
      store = await open();
    });
    after(() => store?.close());
    const page = (things: Collection<StoredDocument>, cursor: string) =>
      things.search({ ...ALL, sort: [{ field: 'id', order: 'asc' }], rows: 10, cursor }, EVERYTHING);

    it('go on with a cursor that another process opened', async () => {
      const things = store.collection(thingDefinition());
      await fill(things, series(25));
      const first = await page(things, '*');
      assert.ok(reopen);
      store = await reopen(store);
      const again = store.collection(things.definition);
      const second = await page(again, first.nextCursor ?? '');
      assert.deepEqual([second.items[0]?.id, second.items.length, second.total], ['t0010', 10, 25]);
      const repeated = await page(again, first.nextCursor ?? '');
      assert.deepEqual(repeated.items, second.items);
      const last = await page(again, second.nextCursor ?? '');
      assert.deepEqual([last.items.length, last.nextCursor], [5, undefined]);
      await assert.rejects(page(again, second.nextCursor ?? ''), { code: 'unknown_cursor' }, 'its state was let go');
    });

    it('do not show one collection by a cursor of another', async () => {
      const [one, other] = [store.collection(thingDefinition()), store.collection(thingDefinition())];
      await fill(one, series(20));
      await fill(other, series(20));
      const { nextCursor = '' } = await page(one, '*');
      await assert.rejects(page(other, nextCursor), { kind: 'invalid_input', code: 'unknown_cursor' });
    });

    it('find a word in any key of a mapping', async () => {
      const things = store.collection(thingDefinition());
      await fill(things, [
        { thing_id: 'a', labels: { zone: 'dmz' } },
        { thing_id: 'b', labels: { other: 'dmz', zone: 'inner' } },
        { thing_id: 'c', name: 'outer' },
      ]);
      for (const text of ['dmz', 'dm*', '/d.z/', 'dnz~1']) {
        const query = compileQuery(text, things.definition, { defaultField: '*' });
        const { items } = await things.search({ query, sort: [{ field: 'id', order: 'asc' }] }, EVERYTHING);
        assert.deepEqual(
          items.map(({ id }) => id),
          ['a', 'b'],
          text,
        );
      }
      assert.deepEqual(await found(things, '_exists_:labels'), ['a', 'b']);
    });

    it('measure the extremes of large whole numbers exactly', async () => {
      const things = store.collection(thingDefinition());
      await fill(things, [
        { thing_id: 'a', size: '9223372036854775807' },
        { thing_id: 'b', size: '-9007199254740993' },
        { thing_id: 'c' },
      ]);
      const { min, max, count } = await things.stats({ ...ALL, field: 'size', missing: 1 }, EVERYTHING);
      assert.deepEqual([min, max, count], [-9007199254740993n, 9223372036854775807n, 3]);
    });

    it('limit a facet by a complement, or refuse it', async () => {
      const things = store.collection(thingDefinition());
      await fill(things, [
        { thing_id: 'a', name: 'x' },
        { thing_id: 'b', name: 'y' },
      ]);
      const keys = things
        .facet({ ...ALL, field: 'name', include: '~(x)' }, EVERYTHING)
        .then(({ buckets }) => buckets.map(({ key }) => key));
      if (name === 'OpenSearch') await assert.rejects(keys, { kind: 'unsupported', code: 'pattern_unsupported' });
      else assert.deepEqual(await keys, ['y']);
    });

    it('show more of a group than the server gives with it', async () => {
      const things = store.collection(thingDefinition());
      await fill(
        things,
        series(300, (index) => ({ name: index % 2 ? 'odd' : 'even' })),
      );
      const sort = [{ field: 'id', order: 'asc' }] as const;
      const { groups } = await things.group({ ...ALL, field: 'name', limit: 120, sort, groupSort: sort }, EVERYTHING);
      assert.deepEqual(
        groups.map(({ value, total, items }) => [value, total, items.length, items[119]?.id]),
        [
          ['even', 150, 120, 't0238'],
          ['odd', 150, 120, 't0239'],
        ],
      );
    });
  });
}

/** A server that answers every search alike. */
function answering(body: unknown): {
  readonly context: CollectionContext<StoredDocument>;
  readonly asked: EngineRequest[];
} {
  const asked: EngineRequest[] = [];
  const engine: SearchEngine = {
    vendor: 'elasticsearch',
    version: '8.19.0',
    request: async <Body>(request: EngineRequest) => {
      asked.push(request);
      return { status: 200, body: body as Body };
    },
    close: async () => {},
  };
  const limits = {
    transportTimeout: 10_000,
    requestBatchSize: 1,
    maxRequestSize: 1,
    taskPollTimeout: 1,
  };
  const definition = thingDefinition();
  const indices = async () => ['things_hot'];
  return { asked, context: { engine, definition, alias: 'things', limits, ready: async () => {}, indices } };
}

describe('answers of searches that are not whole', () => {
  const hits = { total: { value: 1 }, hits: [] };
  const search = (context: CollectionContext<StoredDocument>, selection: Selection) =>
    searchDocuments(context, checkedPage(context.definition, selection, EVERYTHING));

  it('are given up where the server ran out of time, which it is told in time', async () => {
    const { context, asked } = answering({ timed_out: true, hits });
    await assert.rejects(search(context, { ...ALL, timeout: 30_000 }), {
      kind: 'unavailable',
      code: 'search_timeout',
    });
    await assert.rejects(search(context, ALL), { code: 'search_timeout' });
    const times = asked.map(({ body, timeout }) => [(body as { timeout: string }).timeout, timeout]);
    assert.deepEqual(times, [
      ['30000ms', 31_000],
      ['9000ms', 10_000],
    ]);
  });

  it('are errors where a shard failed', async () => {
    const failed = (failures: unknown[]) =>
      answering({ timed_out: false, _shards: { failed: 1, failures }, hits }).context;
    const full = { status: 429, reason: { type: 'circuit_breaking_exception', reason: 'Data too large' } };
    await assert.rejects(search(failed([full]), ALL), { code: 'datastore_unavailable' });
    await assert.rejects(search(failed([]), ALL), { code: 'datastore_unavailable' });
  });
});

describe('facets over several shards', () => {
  const [subject] = clusterSubjects();
  const { unavailable } = subject ?? {};
  it('count exactly', unavailable === undefined ? {} : { skip: unavailable }, async () => {
    assert.ok(subject);
    const store = await openElasticsearchDatastore({
      vendor: 'opensearch',
      hosts: [{ name: 'test', url: outsideServer('opensearch').url }],
      prefix: `shards${process.pid}`,
      shape: () => ({ shards: 5, replicas: 0 }),
    });
    try {
      const things = store.collection(thingDefinition());
      // The rarest value is not a rarer in its shard than a thousand others, which it does not tell at first.
      await fill(
        things,
        series(9001, (index) => ({ name: index === 9000 ? 'zz' : `v${index % 3000}` })),
      );
      const order = { by: 'count', direction: 'asc' } as const;
      const { buckets, other } = await things.facet({ ...ALL, field: 'name', rows: 2, order }, EVERYTHING);
      assert.deepEqual(
        buckets.map(({ key, count }) => [key, count]),
        [
          ['zz', 1],
          ['v0', 3],
        ],
      );
      assert.equal(other, 9001 - 4);
    } finally {
      for (const { name } of await store.admin.list(`shards${process.pid}-*`)) await store.admin.delete(name);
      await store.close();
    }
  });
});
