import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { elasticsearchIndexBody } from '../../../documents/schema/elasticsearch-mapping.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { EVERYTHING, thingDefinition } from '../../conformance/things.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';

const { url, unavailable } = outsideServer('opensearch');

/**
 * An index whose shards are nowhere until `allocate`, as another process sees one that was made a
 * moment ago.
 */
async function openUnallocated(transportTimeout: number) {
  const prefix = `late-${randomBytes(4).toString('hex')}`;
  const definition = thingDefinition();
  const index = `${prefix}-${definition.name}_hot`;
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.ok(answer.ok, await answer.text());
  };
  const { settings, mappings } = elasticsearchIndexBody(definition, { shards: 1, replicas: 0 });
  await send('PUT', `${index}?wait_for_active_shards=0`, {
    settings: { ...settings, 'index.routing.allocation.enable': 'none' },
    mappings,
    aliases: { [`${prefix}-${definition.name}`]: { is_write_index: true } },
  });
  const store = await openElasticsearchDatastore({
    vendor: 'opensearch',
    hosts: [{ name: 'local', url }],
    prefix,
    transportTimeout,
  });
  return {
    things: store.collection(definition),
    allocate: () => send('PUT', `${index}/_settings`, { 'index.routing.allocation.enable': 'all' }),
    async [Symbol.asyncDispose]() {
      await store.close();
      await send('DELETE', index);
    },
  };
}

describe('an index whose shards are not there yet', { skip: unavailable ?? false }, () => {
  it('is read as soon as they are', async () => {
    await using bench = await openUnallocated(20_000);
    const reading = bench.things.get('a', EVERYTHING);
    setTimeout(() => void bench.allocate(), 300);
    assert.equal(await reading, undefined);
  });

  it('makes no document look missing: the read fails within the transport timeout', async () => {
    await using bench = await openUnallocated(500);
    const begun = performance.now();
    await assert.rejects(bench.things.get('a', EVERYTHING), { code: 'datastore_unavailable' });
    assert.ok(performance.now() - begun < 6000);
  });
});
