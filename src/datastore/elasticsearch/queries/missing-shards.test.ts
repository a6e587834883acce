import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { openMeddledThings } from '../../../testing/meddled-things.ts';
import { clearCluster } from '../../../testing/servers/clear-cluster.ts';
import type { Meddling, PassedRequest } from '../../../testing/servers/meddling-proxy.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { ALL, EVERYTHING, fill, series, thingDefinition } from '../../conformance/things.ts';
import { CLUSTERS, openCluster } from '../conformance-subjects.ts';

const UNAVAILABLE = { kind: 'unavailable', code: 'datastore_unavailable' };

for (const { name, vendor, server } of CLUSTERS) {
  const { url, unavailable } = outsideServer(server);

  describe(`shards that are missing on ${name}`, { skip: unavailable ?? false }, () => {
    const open = async () => {
      const store = await openCluster({ vendor, url, transportTimeout: 1500 });
      const definition = thingDefinition();
      return {
        things: store.collection(definition),
        alias: `${store.admin.prefix}-${definition.name}`,
        async [Symbol.asyncDispose]() {
          await store.close();
          await clearCluster(url, store.admin.prefix);
        },
      };
    };

    it('are the trouble of the engine, regardless of what the document says that they kept from being stored', async () => {
      await using bench = await open();
      await createNowhere(url, `${bench.alias}_hot`, bench.alias);
      await assert.rejects(bench.things.save('a', { thing_id: 'a', name: 'a secret regex' }), (error: Error) => {
        assert.doesNotMatch(error.message, /secret/);
        assert.equal('code' in error && error.code, 'datastore_unavailable', error.message);
        return true;
      });
    });

    it('are noticed by everything that reads', async () => {
      await using bench = await open();
      const { things, alias } = bench;
      await fill(things, series(3));
      await createNowhere(url, `${alias}-000001`, alias);
      const access = EVERYTHING;
      const name = [{ op: 'set', path: 'name', value: 'x' }] as const;
      const reads: Record<string, () => Promise<unknown>> = {
        search: () => things.search(ALL, access),
        count: () => things.count(ALL, access),
        stream: () => Array.fromAsync(things.stream(ALL, access)),
        cursor: () => things.search({ ...ALL, cursor: '*', rows: 2 }, access),
        deleteWhere: () => things.deleteWhere(ALL, { access }),
        updateWhere: () => things.updateWhere(ALL, name, { access }),
      };
      for (const [method, read] of Object.entries(reads)) await assert.rejects(read(), UNAVAILABLE, method);
    });
  });
}

describe('shards that are missing while an index is copied', {
  skip: outsideServer('opensearch').unavailable ?? false,
}, () => {
  const search = {
    _shards: { total: 2, successful: 1, failed: 1 },
    hits: { total: { value: 0, relation: 'eq' }, hits: [] },
  };
  const error = { type: 'no_shard_available_action_exception', reason: 'No shard available for [get [x][a]]' };

  it('end the reading of one index, by search', async () => {
    await using bench = await openMeddledThings({
      meddle: answering((path) => path.includes('/_search'), search),
    });
    await fill(bench.direct, series(3));
    await assert.rejects(Array.fromAsync(bench.meddledAdmin.scan(`${bench.alias}_hot`, {})), UNAVAILABLE);
  });

  it('end the reading of one index, by identifiers', async () => {
    await using bench = await openMeddledThings({
      meddle: answering((path) => path.includes('/_mget'), { docs: [{ _index: 'x', _id: 'a', error }] }),
    });
    const index = `${bench.alias}_hot`;
    // Written by others, without the identifier as a field.
    await fetch(new URL(`/${index}/_doc/a?refresh=true`, outsideServer('opensearch').url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"thing_id":"a"}',
    });
    await assert.rejects(Array.fromAsync(bench.meddledAdmin.scan(index, {})), UNAVAILABLE);
  });
});

describe('rollovers that no one could look behind', { skip: outsideServer('opensearch').unavailable ?? false }, () => {
  it('leave nothing of an atomic bulk', async () => {
    let rolled = false;
    let failed = false;
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => {
        if (path.startsWith('/_bulk') && !rolled) {
          rolled = true;
          await bench.admin.create(`${bench.alias}-000002`, thingDefinition() as CollectionDefinition<unknown>, {});
          const added = { index: `${bench.alias}-000002`, alias: bench.alias, writeIndex: true };
          await bench.admin.switchAliases([{ kind: 'add', ...added }]);
        }
        if (!rolled || failed || !path.startsWith('/_alias')) return 'pass';
        failed = true;
        return { status: 500, body: {} };
      },
    });
    const documents = series(2).map((document) => ({ id: String(document.thing_id), document }));
    await assert.rejects(bench.things.createAll(documents), { code: 'datastore_unavailable' });
    assert.deepEqual(await bench.direct.getMany(['t0000', 't0001'], EVERYTHING), [undefined, undefined]);
  });
});

function answering(concerns: (path: string) => boolean, body: unknown) {
  return async ({ url: path }: PassedRequest): Promise<Meddling> => (concerns(path) ? { status: 200, body } : 'pass');
}

/** An index behind the alias that no node may hold. */
async function createNowhere(url: string, index: string, alias: string): Promise<void> {
  const settings = { 'index.routing.allocation.require._name': 'nowhere', 'index.number_of_replicas': 0 };
  const mappings = { properties: { id: { type: 'keyword' }, thing_id: { type: 'keyword' } } };
  const answer = await fetch(new URL(`/${index}?wait_for_active_shards=0`, url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings, mappings, aliases: { [alias]: { is_write_index: index.endsWith('_hot') } } }),
  });
  assert.equal(answer.status, 200, await answer.text());
}
