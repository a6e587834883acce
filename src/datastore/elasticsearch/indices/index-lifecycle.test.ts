import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../../../testing/servers/scripted-server.ts';
import { thingDefinition } from '../../conformance/things.ts';
import type { Datastore } from '../../port/datastore.ts';
import type { LifecyclePolicy } from '../../port/index-admin.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';

const POLICY: LifecyclePolicy = {
  rollover: { maxAge: '30d', maxPrimaryShardSize: '50gb' },
  warm: { minAge: '7d', forceMergeSegments: 3 },
  cold: { minAge: '90d' },
};
const ALIAS = 'svc-hit';
const INDEX = `${ALIAS}-000001`;
const definition = thingDefinition({ name: 'hit' }) as CollectionDefinition<unknown>;

/**
 * A server with lifecycles, which no package brings along:
 * `script` answers what is not the same on every one.
 */
async function withServer(
  vendor: 'elasticsearch' | 'opensearch',
  script: (request: ScriptedRequest) => ScriptedAnswer | undefined,
  use: (store: Datastore, server: ScriptedServer) => Promise<void>,
): Promise<void> {
  const version = vendor === 'elasticsearch' ? { number: '8.19.0' } : { number: '3.8.0', distribution: 'opensearch' };
  const answer = (request: ScriptedRequest): ScriptedAnswer => {
    if (request.url === '/') return { body: { version } };
    if (request.url.endsWith('/_alias')) return { body: { [INDEX]: { aliases: {} } } };
    return script(request) ?? { body: { acknowledged: true } };
  };
  await using server = await startScriptedServer((request) => ({
    ...answer(request),
    headers: { 'x-elastic-product': 'Elasticsearch' },
  }));
  const store = await openElasticsearchDatastore({
    vendor,
    hosts: [{ name: 'x', url: server.url }],
    prefix: 'svc',
    transportTimeout: 2000,
  });
  try {
    await use(store, server);
  } finally {
    await store.close();
  }
}

const shown = ({ method, url, body }: ScriptedRequest) => [method, url, body === '' ? undefined : JSON.parse(body)];
const lastOf = ({ requests }: ScriptedServer, count = 1) => requests.slice(-count).map(shown);

describe('lifecycles of Elasticsearch (ILM)', () => {
  const withIlm = (use: (store: Datastore, server: ScriptedServer) => Promise<void>) =>
    withServer(
      'elasticsearch',
      ({ url }) => (url === '/_ilm/status' ? { body: { operation_mode: 'RUNNING' } } : undefined),
      use,
    );

  it('is found, and declared', () =>
    withIlm(async (store) => assert.equal(store.capabilities.serverSideLifecycle, true)));

  it('tells the phases of managed indices, and none without the right to ask', async () => {
    const answers: Record<string, ScriptedAnswer> = {
      '/_ilm/status': { body: { operation_mode: 'RUNNING' } },
      '/svc-*/_ilm/explain?only_managed=true': {
        body: { indices: { [INDEX]: { managed: true, phase: 'cold' }, other: { managed: true } } },
      },
    };
    const phases = async () => {
      let found: ReadonlyMap<string, string> | undefined;
      await withServer(
        'elasticsearch',
        ({ url }) => answers[url],
        async ({ admin }) => {
          found = await admin.phases();
        },
      );
      return found;
    };
    assert.deepEqual(await phases(), new Map([[INDEX, 'cold']]));
    answers['/svc-*/_ilm/explain?only_managed=true'] = { status: 403, body: { error: { type: 'security_exception' } } };
    assert.deepEqual(await phases(), new Map());
  });

  it('puts policies as the vendor describes them', () =>
    withIlm(async ({ admin }, server) => {
      await admin.putLifecyclePolicy('p/1', POLICY);
      assert.deepEqual(lastOf(server), [
        [
          'PUT',
          '/_ilm/policy/p%2F1',
          {
            policy: {
              phases: {
                hot: { min_age: '0ms', actions: { rollover: { max_age: '30d', max_primary_shard_size: '50gb' } } },
                warm: { min_age: '7d', actions: { forcemerge: { max_num_segments: 3 } } },
                cold: { min_age: '90d', actions: {} },
              },
            },
          },
        ],
      ]);
      await admin.putLifecyclePolicy('short', { rollover: POLICY.rollover, warm: { minAge: '1d' } });
      const [[, , body] = []] = lastOf(server);
      assert.deepEqual(Object.keys(body.policy.phases), ['hot', 'warm']);
      assert.deepEqual(body.policy.phases.warm, { min_age: '1d', actions: {} });
    }));

  it('names policy and alias in the settings of indices and templates', () =>
    withIlm(async ({ admin }, server) => {
      const named = { lifecyclePolicy: 'p', rolloverAlias: ALIAS };
      await admin.create(INDEX, definition, { ...named, aliases: [{ name: ALIAS, writeIndex: true }] });
      const [[method, url, created] = []] = lastOf(server);
      assert.deepEqual([method, url], ['PUT', `/${INDEX}`]);
      assert.equal(created.settings['index.lifecycle.name'], 'p');
      assert.equal(created.settings['index.lifecycle.rollover_alias'], ALIAS);
      assert.equal(created.settings.index.number_of_shards, 1);
      assert.deepEqual(created.aliases, { [ALIAS]: { is_write_index: true } });
      assert.equal(created.mappings.properties.port.type, 'integer');

      await admin.putTemplate('t', `${ALIAS}-*`, definition, named);
      const [[, path, template] = []] = lastOf(server);
      assert.equal(path, '/_index_template/t');
      assert.deepEqual(template.index_patterns, [`${ALIAS}-*`]);
      assert.equal(template.template.settings['index.lifecycle.name'], 'p');
      assert.equal(template.template.settings['index.lifecycle.rollover_alias'], ALIAS);
      assert.deepEqual(template.template.mappings, created.mappings);

      await admin.setLifecycle(INDEX, 'p', ALIAS);
      assert.deepEqual(lastOf(server), [
        ['PUT', `/${INDEX}/_settings`, { 'index.lifecycle.name': 'p', 'index.lifecycle.rollover_alias': ALIAS }],
      ]);
      await admin.setLifecycle(INDEX, 'p', ALIAS, { rolledOver: true });
      const [[, , told] = []] = lastOf(server);
      assert.equal(told['index.lifecycle.indexing_complete'], true);
      assert.equal(told['index.lifecycle.name'], 'p');
    }));

  it('is there for a user who may not look at it', () =>
    withServer(
      'elasticsearch',
      ({ url }) =>
        url === '/_ilm/status' ? { status: 403, body: { error: { type: 'security_exception' } } } : undefined,
      async (store) => assert.equal(store.capabilities.serverSideLifecycle, true),
    ));
});

describe('lifecycles of OpenSearch (ISM)', () => {
  const BASE = '/_plugins/_ism';
  const withIsm = (
    use: (store: Datastore, server: ScriptedServer) => Promise<void>,
    stored?: { policy: object; _seq_no: number; _primary_term: number },
    changes: (request: ScriptedRequest) => ScriptedAnswer | undefined = () => undefined,
  ) =>
    withServer(
      'opensearch',
      (request) => {
        const { method, url } = request;
        if (method === 'GET' && url.startsWith(`${BASE}/policies?`))
          return { body: { policies: [], total_policies: 0 } };
        if (method === 'GET' && url.startsWith(`${BASE}/policies/`)) {
          return stored === undefined ? { status: 404, body: { error: 'Policy not found' } } : { body: stored };
        }
        return changes(request);
      },
      use,
    );
  const STATES = [
    {
      name: 'hot',
      actions: [{ rollover: { min_index_age: '30d', min_primary_shard_size: '50gb' } }],
      transitions: [{ state_name: 'warm', conditions: { min_rollover_age: '7d' } }],
    },
    {
      name: 'warm',
      actions: [{ force_merge: { max_num_segments: 3 } }, { read_write: {} }],
      transitions: [{ state_name: 'cold', conditions: { min_rollover_age: '90d' } }],
    },
    { name: 'cold', actions: [], transitions: [] },
  ];

  it('is found, and declared', () =>
    withIsm(async (store) => assert.equal(store.capabilities.serverSideLifecycle, true)));

  it('puts policies of the same meaning', () =>
    withIsm(async ({ admin }, server) => {
      await admin.putLifecyclePolicy('p', POLICY);
      const [[method, url, body] = []] = lastOf(server);
      assert.deepEqual([method, url], ['PUT', `${BASE}/policies/p`]);
      assert.equal(body.policy.default_state, 'hot');
      assert.deepEqual(body.policy.states, STATES);
      assert.equal('ism_template' in body.policy, false);
    }));

  it('replaces a policy under its version, and keeps the patterns that it is for', () => {
    const ism_template = [{ index_patterns: ['svc-hit-*'], priority: 100, last_updated_time: 5 }];
    return withIsm(
      async ({ admin }, server) => {
        await admin.putLifecyclePolicy('p', POLICY);
        const [[method, url, body] = []] = lastOf(server);
        assert.deepEqual([method, url], ['PUT', `${BASE}/policies/p?if_seq_no=7&if_primary_term=2`]);
        assert.deepEqual(body.policy.states, STATES);
        assert.deepEqual(body.policy.ism_template, ism_template);
      },
      { policy: { policy_id: 'p', schema_version: 21, states: [], ism_template }, _seq_no: 7, _primary_term: 2 },
    );
  });

  it('writes the pattern of a template into its policy, once', async () => {
    const policy = {
      policy_id: 'p',
      schema_version: 21,
      last_updated_time: 5,
      description: 'd',
      default_state: 'hot',
      states: STATES,
    };
    const named = { lifecyclePolicy: 'p', rolloverAlias: ALIAS };
    await withIsm(
      async ({ admin }, server) => {
        await admin.putTemplate('t', `${ALIAS}-*`, definition, named);
        const [template, , written] = lastOf(server, 3);
        assert.equal(template?.[2].template.settings['index.plugins.index_state_management.rollover_alias'], ALIAS);
        assert.deepEqual(written, [
          'PUT',
          `${BASE}/policies/p?if_seq_no=7&if_primary_term=2`,
          {
            policy: {
              description: 'd',
              default_state: 'hot',
              states: STATES,
              ism_template: [{ index_patterns: [`${ALIAS}-*`], priority: 100 }],
            },
          },
        ]);
      },
      { policy, _seq_no: 7, _primary_term: 2 },
    );
    await withIsm(
      async ({ admin }, server) => {
        await admin.putTemplate('t', `${ALIAS}-*`, definition, named);
        assert.deepEqual(lastOf(server), [['GET', `${BASE}/policies/p`, undefined]]);
      },
      { policy: { ...policy, ism_template: { index_patterns: [`${ALIAS}-*`] } }, _seq_no: 7, _primary_term: 2 },
    );
  });

  it('refuses a template of a policy that is not there', () =>
    withIsm(async ({ admin }) => {
      const named = { lifecyclePolicy: 'p', rolloverAlias: ALIAS };
      await assert.rejects(admin.putTemplate('t', 'x-*', definition, named), { code: 'lifecycle_policy_missing' });
    }));

  it('adds indices to a policy, and changes the policy of those that have one', async () => {
    await withIsm(async ({ admin }, server) => {
      await admin.setLifecycle(INDEX, 'p', ALIAS);
      assert.deepEqual(lastOf(server, 2), [
        ['PUT', `/${INDEX}/_settings`, { 'index.plugins.index_state_management.rollover_alias': ALIAS }],
        ['POST', `${BASE}/add/${INDEX}`, { policy_id: 'p' }],
      ]);
      await admin.setLifecycle(INDEX, 'p', ALIAS, { rolledOver: true });
      const [[, , told] = []] = lastOf(server, 2);
      assert.equal(told['index.plugins.index_state_management.rollover_skip'], true);
    });
    await withIsm(
      async ({ admin }, server) => {
        await admin.setLifecycle(INDEX, 'p', ALIAS);
        assert.deepEqual(lastOf(server), [['POST', `${BASE}/change_policy/${INDEX}`, { policy_id: 'p' }]]);
      },
      undefined,
      ({ url }) =>
        url.includes('/add/')
          ? { body: { updated_indices: 0, failures: true, failed_indices: [{ index_name: INDEX }] } }
          : undefined,
    );
  });

  it('tells the phases of managed indices', () =>
    withIsm(
      async ({ admin }) => assert.deepEqual(await admin.phases(), new Map([[INDEX, 'warm']])),
      undefined,
      ({ url }) =>
        url === `${BASE}/explain/svc-*`
          ? { body: { [INDEX]: { state: { name: 'warm' } }, other: { state: null }, total_managed_indices: 2 } }
          : undefined,
    ));

  it('tells the policy of an index, which its settings do not say', () =>
    withIsm(
      async ({ admin }) => {
        const [info] = await admin.list(`${ALIAS}-*`);
        assert.deepEqual([info?.lifecyclePolicy, info?.rolloverAlias], ['p', ALIAS]);
      },
      undefined,
      ({ url }) => {
        if (url.includes('/_ism/explain/')) {
          return {
            body: {
              [INDEX]: { 'index.plugins.index_state_management.policy_id': 'p', enabled: true },
              total_managed_indices: 1,
            },
          };
        }
        if (url.includes('/_settings')) {
          const settings = {
            'index.creation_date': '1700000000000',
            'index.plugins.index_state_management.rollover_alias': ALIAS,
          };
          return { body: { [INDEX]: { settings } } };
        }
        return { body: {} };
      },
    ));
});
