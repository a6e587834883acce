import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lacksRoom, planReindex } from '../../../migrations/reindex/index-states.ts';
import { startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';

const INDEX = 'svc-hit_hot';
const GIGABYTE = 1_000_000_000;

it('counts the copies of an index in its size, as the free space of all nodes is what they lie in', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    _settings: { [INDEX]: { settings: { 'index.creation_date': '1' } } },
    _alias: { [INDEX]: { aliases: { 'svc-hit': {} } } },
    _stats: {
      indices: {
        [INDEX]: {
          primaries: { docs: { count: 7 }, store: { size_in_bytes: GIGABYTE } },
          total: { docs: { count: 21 }, store: { size_in_bytes: 3 * GIGABYTE } },
        },
      },
    },
    _nodes: {
      nodes: [1, 2, 3].map(() => ({ roles: ['data'], fs: { total: { available_in_bytes: GIGABYTE } } })),
    },
  };
  await using server = await startScriptedServer(({ url }) => {
    if (url === '/') return { body: { version: { number: '3.8.0', distribution: 'opensearch' } } };
    const asked = Object.keys(answers).find((part) => url.includes(`/${part}`));
    if (asked !== undefined) return { body: answers[asked] };
    return url.includes('/_refresh') ? { body: {} } : { status: 404, body: {} };
  });
  const hosts = [{ name: 'x', url: server.url }];
  const store = await openElasticsearchDatastore({ vendor: 'opensearch', hosts, prefix: 'svc' });
  try {
    const [info] = await store.admin.list('svc-*');
    assert.deepEqual([info?.documents, info?.bytes], [7, 3 * GIGABYTE]);
    const plan = await planReindex(store.admin, 'hit');
    assert.deepEqual([plan.neededBytes, plan.freeBytes], [6 * GIGABYTE, 3 * GIGABYTE]);
    assert.equal(lacksRoom(plan), true);
  } finally {
    await store.close();
  }
});
