import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredDocument } from '../../documents/schema/collection-definition.ts';
import { ALL, EVERYTHING, readsUpTo, thingDefinition } from '../conformance/things.ts';
import { checkedDatastore } from './checked-datastore.ts';
import type { CollectionAdapter, DatastoreAdapter } from './datastore-adapter.ts';

/** A datastore over an adapter that finds nothing, and the requests that reached it. */
function observed(definition = thingDefinition()) {
  const asked: { readonly method: string; readonly request: unknown }[] = [];
  const nothing = { items: [], total: 0, sortKeys: [], groups: [], nextCursor: undefined };
  const adapter = new Proxy({} as CollectionAdapter<StoredDocument>, {
    get: (_, method) => async (request: unknown) => {
      asked.push({ method: String(method), request });
      return nothing;
    },
  });
  const store = checkedDatastore({ collection: () => adapter } as unknown as DatastoreAdapter);
  return { things: store.collection(definition), asked };
}

describe('requests to the port', () => {
  it('reach an adapter complete', async () => {
    const { things, asked } = observed(thingDefinition({ classified: true }));
    await things.search({ ...ALL, filters: [{ kind: 'exists', field: 'name' }] }, readsUpTo(100));
    await things.search({ ...ALL, cursor: '*', offset: 20_000 }, EVERYTHING);
    await things.facet({ ...ALL, field: 'labels.zone' }, EVERYTHING);
    const [page, cursor, facet] = asked.map(({ request }) => request as Record<string, unknown>);
    assert.deepEqual(page?.query, { kind: 'exists', field: 'name' });
    assert.deepEqual(page?.access, readsUpTo(100).filter);
    assert.deepEqual([page?.offset, page?.rows, page?.sortKeys], [0, 25, false]);
    assert.deepEqual(page?.sort, [{ field: 'seen', kind: 'date', order: 'desc', missing: 'last', mode: 'max' }]);
    assert.deepEqual([cursor?.cursor, cursor?.rows], [undefined, 25]);
    assert.deepEqual(facet?.field, { path: 'labels.zone', searchKind: 'keyword' });
    assert.deepEqual([facet?.rows, facet?.minCount, facet?.order], [10, 1, { by: 'count', direction: 'desc' }]);
  });

  it('do not reach an adapter that they ask in vain', async () => {
    const { things, asked } = observed();
    const sort = [{ field: 'note', order: 'asc' }] as const;
    await assert.rejects(things.search({ ...ALL, sort }, EVERYTHING), { code: 'unknown_sort_field' });
    await assert.rejects(things.search({ ...ALL, offset: 9_999, rows: 2 }, EVERYTHING), {
      code: 'result_window_too_large',
    });
    await assert.rejects(things.search({ ...ALL, cursor: '*', rows: -1 }, EVERYTHING), { code: 'invalid_rows' });
    await assert.rejects(things.stats({ ...ALL, field: 'name' }, EVERYTHING), { code: 'field_not_aggregatable' });
    await assert.rejects(things.facet({ ...ALL, field: 'port', include: '1.*' }, EVERYTHING), {
      code: 'field_not_aggregatable',
    });
    await assert.rejects(things.group({ ...ALL, field: 'nothing' }, EVERYTHING), { code: 'group_field_unsupported' });
    assert.deepEqual(await things.facet({ ...ALL, field: 'nothing' }, EVERYTHING), { buckets: [], other: 0 });
    assert.deepEqual(await things.bulk([]), []);
    assert.deepEqual(asked, []);
  });
});
