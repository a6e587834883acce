import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openDatastore } from '../../composition/open-adapters.ts';
import { loadConfig } from '../../config/config.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { actionDocument } from '../../documents/kinds/action.ts';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { elasticsearchIndexBody } from '../../documents/schema/elasticsearch-mapping.ts';
import { readAccessFor } from '../../identity/accounts/read-access.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import { MIGRATIONS } from '../registry.ts';
import { runMigrations } from '../run-migrations.ts';

const EVERYTHING = unrestricted('the test looks at what it stored');
const TYPES = { opensearch: 'opensearch', elasticsearch8: 'elasticsearch', elasticsearch9: 'elasticsearch' } as const;
const HITS = 1200;

for (const name of Object.keys(TYPES) as (keyof typeof TYPES)[]) {
  describe(`the migrations on indices that others made, on ${name}`, () => {
    const server = outsideServer(name);
    if (server.unavailable !== undefined) {
      it('not run', { skip: server.unavailable });
      return;
    }
    const prefix = `steps-${randomBytes(4).toString('hex')}`;
    const engine = loadClassification(DEMO_CLASSIFICATION);
    let datastore: Datastore;

    /** Past the program, as another one writes. */
    async function send(method: string, path: string, body: string, type = 'application/json'): Promise<void> {
      const answer = await fetch(`${server.url}/${path}`, { method, body, headers: { 'content-type': type } });
      const text = await answer.text();
      assert.ok(answer.ok && !text.includes('"errors":true'), `${method} ${path}: ${text.slice(0, 500)}`);
    }
    async function create(
      collection: string,
      body: object,
      documents: Readonly<Record<string, object>>,
    ): Promise<void> {
      const index = `${prefix}-${collection}_hot`;
      const aliases = { [`${prefix}-${collection}`]: {} };
      await send('PUT', index, JSON.stringify({ ...body, aliases }));
      const lines = Object.entries(documents).flatMap(([_id, document]) => [{ index: { _id } }, document]);
      const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
      await send('POST', `${index}/_bulk?refresh=true`, text, 'application/x-ndjson');
    }

    before(async () => {
      const action = elasticsearchIndexBody(actionDocument, { shards: 1, replicas: 0 });
      const { owner: _owner, admins: _admins, members: _members, ...kept } = action.mappings.properties;
      const legacy = { ...action.mappings, properties: { ...kept, owner_id: { type: 'keyword' } } };
      const fields = (id: string) => ({ id, action_id: id, name: id, query: '*:*', triggers: [], operations: [] });
      await create(
        'action',
        { ...action, mappings: legacy },
        {
          a: { ...fields('a'), owner_id: 'anna' },
          b: { ...fields('b'), owner_id: null },
          c: { ...fields('c'), owner_id: 'anna', owner: 'otto' },
          d: { ...fields('d'), owner: 'otto' },
        },
      );
      const hits = Array.from({ length: HITS }, (_, at) => {
        const id = `h${String(at).padStart(4, '0')}`;
        const classification = at % 2 === 0 ? 'UNRESTRICTED' : 'RESTRICTED';
        return [id, { id, howler: { id, analytic: 'Test' }, classification, event: { id } }] as const;
      });
      await create('hit', elasticsearchIndexBody(hitDocument, { shards: 1, replicas: 0 }), Object.fromEntries(hits));

      const environment = {
        SVC_DATASTORE_TYPE: TYPES[name],
        SVC_DATASTORE_HOSTS: server.url,
        SVC_DATASTORE_INDEX_PREFIX: prefix,
        SVC_DATASTORE_TRANSPORT_TIMEOUT: '60',
      };
      datastore = await openDatastore(loadConfig({ environment }), { logger: pino({ level: 'silent' }) });
    });
    after(async () => {
      for (const { name } of await datastore.admin.list(`${prefix}-*`)) await datastore.admin.delete(name);
      await datastore.close();
    });

    const run = async (signal: AbortSignal, onProgress: (id: string, done: number) => void = () => {}) => {
      const outcomes = await runMigrations({
        datastore,
        classification: engine,
        settings: { wait_timeout: 1, poll_interval: 0.1, stale_claim_timeout: 3600 },
        selected: MIGRATIONS,
        signal,
        report: {
          started() {},
          waiting() {},
          progress: ({ id }, done) => onProgress(id, done),
          warning: (_, message) => assert.fail(message),
          finished() {},
        },
      });
      return outcomes.map(({ milliseconds: _, ...outcome }) => outcome);
    };
    const visible = (classification: string) =>
      datastore
        .collection(hitDocument)
        .count({ query: { kind: 'all' } }, readAccessFor(engine, classification, undefined));

    it('are interrupted between two batches and go on', async () => {
      assert.equal(await visible('RESTRICTED'), 0);
      const ending = new AbortController();
      const first = await run(ending.signal, (id, done) => {
        if (id === 'access-fields-from-classification' && done === 500) ending.abort('SIGTERM');
      });
      assert.deepEqual(first, [
        { id: 'action-owner-id-to-owner', kind: 'applied', affectedDocuments: 2 },
        { id: 'access-fields-from-classification', kind: 'interrupted', error: 'SIGTERM' },
      ]);
      assert.deepEqual(await run(new AbortController().signal), [
        { id: 'action-owner-id-to-owner', kind: 'already_applied', affectedDocuments: 2 },
        { id: 'access-fields-from-classification', kind: 'applied', affectedDocuments: HITS - 500 },
      ]);
    });

    it('leave actions with their owners, found by them', async () => {
      const actions = datastore.collection(actionDocument);
      const ownership = async (id: string) => {
        const action = (await actions.get(id, EVERYTHING)) as { owner?: unknown; owner_id?: unknown } | undefined;
        return { owner: action?.owner, owner_id: action?.owner_id };
      };
      assert.deepEqual(await ownership('a'), { owner: 'anna', owner_id: undefined });
      assert.deepEqual(await ownership('b'), { owner: undefined, owner_id: null });
      assert.deepEqual(await ownership('c'), { owner: 'otto', owner_id: undefined });
      assert.deepEqual(await ownership('d'), { owner: 'otto', owner_id: undefined });
      const of = (value: string) => actions.count({ query: { kind: 'term', field: 'owner', value } }, EVERYTHING);
      assert.equal(await of('anna'), 1);
      assert.equal(await of('otto'), 2);
    });

    it('let everyone find the alerts that they may see', async () => {
      assert.equal(await visible('UNRESTRICTED'), HITS / 2);
      assert.equal(await visible('RESTRICTED'), HITS);
    });
  });
}
