import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clusterSubject } from '../../datastore/elasticsearch/conformance-subjects.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { elasticsearchIndexBody } from '../../documents/schema/elasticsearch-mapping.ts';
import { reindexArea } from '../../testing/migrations/reindex-area.ts';
import { indicesOf, optionsFor, reportTo } from '../../testing/migrations/reindex-fixture.ts';
import { seedVersion2, version2Document } from '../../testing/migrations/reindex-seeds.ts';
import { version2Definition } from '../../testing/migrations/version-2-definitions.ts';
import { type OutsideServerName, outsideServer } from '../../testing/servers/outside-servers.ts';
import { withMethods } from '../../testing/with-methods.ts';
import { reindex } from './reindex.ts';
import type { ReindexKind } from './reindex-context.ts';

const SERVERS = [
  ['OpenSearch', 'opensearch', 'opensearch'],
  ['Elasticsearch 8', 'elasticsearch', 'elasticsearch8'],
  ['Elasticsearch 9', 'elasticsearch', 'elasticsearch9'],
] as const;

for (const [name, vendor, server] of SERVERS) {
  const subject = clusterSubject(name, vendor, server);
  const prepare = (store: Datastore, kind: ReindexKind) => createLenientIndex(server, store.admin.prefix, kind);
  // A cluster takes its time for each change of an index.
  reindexArea({ ...subject, prepare, cutOffEvery: 4 });

  const skip = subject.unavailable ?? false;
  it(`${name}: leaves behind what the mapping of 3.0.0 refuses, and nothing else`, { skip }, async () => {
    const store = await subject.open();
    try {
      await prepare(store, 'hit');
      await seedVersion2(store, 'hit', 1200);
      const old = store.collection(version2Definition('hit'));
      const bad = [3, 700, 1100].map((n) => version2Document('hit', n));
      // The old index was told to ignore what it cannot map, so it took a word for a number of bytes.
      for (const { id, document } of bad) await old.save(id, { ...document, source: { bytes: 'many' } });
      await old.count({ query: { kind: 'all' } }, { filter: { kind: 'all' }, username: undefined, admits: () => true });
      const before = await indicesOf(store.admin);
      const notes: string[] = [];
      const options = { ...optionsFor(store, 'hit'), report: reportTo(notes) };
      await assert.rejects(reindex(options), { code: 'reindex_failures' });
      assert.ok(
        notes.some((note) => note.includes(bad[0]?.id ?? '?')),
        notes.join('\n'),
      );
      assert.deepEqual(await indicesOf(store.admin), before);
      const [result] = await reindex({ ...options, allowFailures: true });
      assert.equal(result?.documents, 1197);
      assert.equal((await store.admin.list(result?.kept ?? ''))[0]?.documents, 1200);
    } finally {
      await store.close();
    }
  });

  it(`${name}: copies what no search finds yet`, { skip }, async () => {
    const store = await subject.open();
    try {
      await seedVersion2(store, 'view', 4);
      const index = `${store.admin.prefix}-view_hot`;
      await refreshNever(server, index);
      const { id } = version2Document('view', 2);
      const documents = store.collection(version2Definition('view'));
      // After every look at the index, as a write does that was answered the moment before the block.
      const admin = withMethods(store.admin, {
        blockWrites: async (blocked) => {
          if (blocked === index) await documents.update(id, [{ op: 'set', path: 'title', value: 'written last' }]);
          await store.admin.blockWrites(blocked);
        },
      });
      await reindex(optionsFor(withMethods(store, { admin }), 'view'));
      const copied = (await Array.fromAsync(store.admin.scan(index, {}))).flat();
      assert.equal(copied.find((one) => one.id === id)?.document.title, 'written last');
    } finally {
      await store.close();
    }
  });
}

/**
 * An index of version 2 whose operator let it ignore what it cannot map: an integer refuses numbers
 * from 2^31 on otherwise.
 */
async function createLenientIndex(server: OutsideServerName, prefix: string, kind: ReindexKind): Promise<void> {
  const body = elasticsearchIndexBody(version2Definition(kind), { shards: 1, replicas: 0 });
  const index = {
    ...(body.settings.index as object),
    mapping: { total_fields: { limit: 3000 }, ignore_malformed: true },
  };
  const response = await fetch(`${outsideServer(server).url}/${prefix}-${kind}_hot`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { ...body.settings, index },
      mappings: body.mappings,
      aliases: { [`${prefix}-${kind}`]: {} },
    }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Makes changes visible to searches only on request. */
async function refreshNever(server: OutsideServerName, index: string): Promise<void> {
  const response = await fetch(`${outsideServer(server).url}/${index}/_settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'index.refresh_interval': '-1' }),
  });
  assert.equal(response.status, 200, await response.text());
}
