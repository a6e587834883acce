import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { estypes } from '@elastic/elasticsearch';
import type { Types } from '@opensearch-project/opensearch';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { type ScriptedCluster, scriptedCluster } from '../../../testing/servers/scripted-cluster.ts';
import { startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { bootstrapCollections } from '../../bootstrap/bootstrap-collections.ts';
import { thingDefinition } from '../../conformance/things.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';

const ALIAS = 'svc-hit';
const definition = thingDefinition({ name: 'hit' }) as CollectionDefinition<unknown>;
type Vendor = 'elasticsearch' | 'opensearch';

/** The request to send, by the types that the vendors publish. */
const ILM_POLICY: { policy: estypes.IlmPolicy } = {
  policy: {
    phases: {
      hot: { min_age: '0ms', actions: { rollover: { max_age: '30d', max_primary_shard_size: '50gb' } } },
      warm: { min_age: '30d', actions: { forcemerge: { max_num_segments: 3 } } },
      cold: { min_age: '90d', actions: {} },
    },
  },
};
const ISM_POLICY: Types.Ism_Common.PutPolicyRequest = {
  policy: {
    description: 'Rollover by age and size, then warm and cold. Nothing is deleted.',
    default_state: 'hot',
    states: [
      {
        name: 'hot',
        actions: [{ rollover: { min_index_age: '30d', min_primary_shard_size: '50gb' } }],
        transitions: [{ state_name: 'warm', conditions: { min_rollover_age: '30d' } }],
      },
      {
        name: 'warm',
        actions: [{ force_merge: { max_num_segments: 3 } }, { read_write: {} }],
        transitions: [{ state_name: 'cold', conditions: { min_rollover_age: '90d' } }],
      },
      { name: 'cold', actions: [], transitions: [] },
    ],
  },
};
type AliasActions = { actions: estypes.IndicesUpdateAliasesAction[] };

for (const vendor of ['elasticsearch', 'opensearch'] as const) {
  describe(`the bootstrap as ${vendor} is asked for it`, () => {
    const lifecycleSettings =
      vendor === 'elasticsearch'
        ? { 'index.lifecycle.name': `${ALIAS}_policy`, 'index.lifecycle.rollover_alias': ALIAS }
        : { 'index.plugins.index_state_management.rollover_alias': ALIAS };
    const attached = (index: string) => (vendor === 'elasticsearch' ? [] : [`POST /_plugins/_ism/add/${index}`]);

    it('puts the policy and a template that names it', async () => {
      const { changes } = await bootstrapped(vendor, () => {});
      if (vendor === 'elasticsearch') {
        assert.deepEqual(bodyOf(changes, 'PUT /_ilm/policy/svc-hit_policy'), ILM_POLICY);
      } else {
        assert.deepEqual(bodyOf(changes, 'PUT /_plugins/_ism/policies/svc-hit_policy'), ISM_POLICY);
        const templated = changes.filter(({ path }) => path.includes('/_ism/policies/')).at(-1)?.body;
        const { ism_template: templates } = (templated as Types.Ism_Common.PutPolicyRequest).policy ?? {};
        assert.deepEqual(templates, [{ index_patterns: ['svc-hit-*'], priority: 100 }]);
      }
      const text = JSON.stringify(changes);
      for (const forbidden of ['"delete"', '"readonly"', '"read_only"']) assert.ok(!text.includes(forbidden));
      const template = bodyOf(
        changes,
        'PUT /_index_template/svc-hit_template',
      ) as estypes.IndicesPutIndexTemplateRequest;
      assert.deepEqual(template.index_patterns, ['svc-hit-*']);
      assert.deepEqual(pick(template.template?.settings, Object.keys(lifecycleSettings)), lifecycleSettings);
      assert.ok(template.template?.mappings?.properties?.thing_id);
    });

    it('nothing there: creates the first generation as write index', async () => {
      const { changes, indices } = await bootstrapped(vendor, () => {});
      const body = bodyOf(changes, 'PUT /svc-hit-000001') as estypes.IndicesCreateRequest;
      assert.deepEqual(body.aliases, { [ALIAS]: { is_write_index: true } });
      assert.deepEqual(pick(body.settings, Object.keys(lifecycleSettings)), lifecycleSettings);
      assert.deepEqual([...indices.keys()], ['svc-hit-000001']);
    });

    it('a legacy index: blocks, clones, sets the lifecycle, switches and unblocks, in this order', async () => {
      const { changes, indices } = await bootstrapped(vendor, (cluster) =>
        cluster.addIndex('svc-hit_hot', 7, { [ALIAS]: {} }),
      );
      const names = changes.map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(
        names.filter((name) => !/_policy$|_template$|_mapping$|bootstrap/.test(name) && name !== 'POST /_aliases'),
        [
          'PUT /svc-hit_hot/_block/write',
          'PUT /svc-hit_hot/_clone/svc-hit-000001',
          'PUT /svc-hit-000001/_settings',
          ...attached('svc-hit-000001'),
          'PUT /svc-hit-000001/_settings',
          'PUT /svc-hit_hot/_settings',
        ],
      );
      assert.deepEqual(bodyOf(changes, 'PUT /svc-hit-000001/_settings'), lifecycleSettings);
      assert.deepEqual(bodyOf(changes, 'PUT /svc-hit_hot/_settings'), { 'index.blocks.write': null });
      const swaps = changes.filter(
        ({ path, body }) => path === '/_aliases' && JSON.stringify(body).includes(`"${ALIAS}"`),
      );
      assert.equal(swaps.length, 1, 'the alias is switched by one request');
      const expected: AliasActions['actions'] = [
        { remove: { index: 'svc-hit_hot', alias: ALIAS, must_exist: true } },
        { add: { index: 'svc-hit-000001', alias: ALIAS, is_write_index: true } },
      ];
      const { actions } = bodyOf(swaps, 'POST /_aliases') as AliasActions;
      assert.deepEqual(actions.slice(-2), expected);
      assert.ok(actions.slice(0, -2).every((action) => JSON.stringify(action).includes('svc-hit_bootstrap')));
      assert.deepEqual([...indices.keys()].toSorted(), ['svc-hit-000001', 'svc-hit_hot']);
      assert.equal(indices.get('svc-hit-000001')?.documents, 7);
      assert.deepEqual(indices.get('svc-hit_hot')?.aliases, {});
      assert.equal(indices.get('svc-hit_hot')?.settings['index.blocks.write'], undefined);
    });

    it('generations: repairs the alias by one request, and asks for nothing when it is right', async () => {
      const { changes, indices } = await bootstrapped(vendor, (cluster) => {
        cluster.addIndex('svc-hit_hot', 1, { [ALIAS]: {} });
        cluster.addIndex('svc-hit-000001', 7, { [ALIAS]: { is_write_index: true } });
        cluster.addIndex('svc-hit-000002', 3, { [ALIAS]: {} });
      });
      const switches = changes.filter(({ path }) => path === '/_aliases');
      const expected: AliasActions = {
        actions: [
          { add: { index: 'svc-hit-000001', alias: ALIAS, is_write_index: false } },
          { remove: { index: 'svc-hit_hot', alias: ALIAS, must_exist: true } },
          { add: { index: 'svc-hit-000001', alias: ALIAS, is_write_index: false } },
          { add: { index: 'svc-hit-000002', alias: ALIAS, is_write_index: true } },
        ],
      };
      assert.equal(switches.length, 1);
      const unique = (actions: readonly object[]) =>
        [...new Set(actions.map((action) => JSON.stringify(action)))].toSorted();
      assert.deepEqual(unique((bodyOf(switches, 'POST /_aliases') as AliasActions).actions), unique(expected.actions));
      assert.equal(indices.size, 3);
      assert.ok(!changes.some(({ path }) => /_clone|_block/.test(path)));
    });
  });
}

/**
 * The cluster after two starts, with the changes that the first asked for; the second asks for none
 * but policy and template.
 */
async function bootstrapped(vendor: Vendor, prepare: (cluster: ScriptedCluster) => void): Promise<ScriptedCluster> {
  const cluster = scriptedCluster(vendor);
  prepare(cluster);
  await using server = await startScriptedServer(cluster.script);
  const store = await openElasticsearchDatastore({ vendor, hosts: [{ name: 'test', url: server.url }], prefix: 'svc' });
  const start = () =>
    bootstrapCollections({
      admin: store.admin,
      capabilities: store.capabilities,
      definitions: [definition],
      ilm: {
        enabled: true,
        rollover_max_age: '30d',
        rollover_max_size: '50gb',
        indices: { hit: { enabled: true, warm: '30d', warm_forcemerge_segments: 3, cold: '90d' } },
      },
      logger: SILENT,
      settleTime: 0,
    });
  try {
    assert.equal(store.capabilities.serverSideLifecycle, true);
    await start();
    const changes = [...cluster.changes];
    await start();
    const again = cluster.changes.slice(changes.length);
    assert.deepEqual(
      again.filter(({ path }) => !/_policy$|_template$/.test(path)),
      [],
    );
    return { ...cluster, changes };
  } finally {
    await store.close();
  }
}

function bodyOf(changes: ScriptedCluster['changes'], request: string): unknown {
  const found = changes.find(({ method, path }) => `${method} ${path}` === request);
  assert.ok(found, `${request} was not sent`);
  return found.body;
}

function pick(settings: unknown, names: readonly string[]): object {
  const given = (settings ?? {}) as Record<string, unknown>;
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}
