import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { userAvatarDocument } from '../../documents/kinds/user-records.ts';
import type { CollectionDefinition, StoredDocument } from '../../documents/schema/collection-definition.ts';
import { defineDocument } from '../../documents/schema/document-definition.ts';
import { elasticsearchIndexBody } from '../../documents/schema/elasticsearch-mapping.ts';
import { integer, keyword, mapping } from '../../documents/schema/field-builders.ts';
import { clearCluster } from '../../testing/servers/clear-cluster.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import { ALL, EVERYTHING, fill, found, series, thingDefinition } from '../conformance/things.ts';
import type { Datastore } from '../port/datastore.ts';
import { SILENT } from '../port/datastore-logger.ts';
import { CLUSTERS, openCluster } from './conformance-subjects.ts';
import type { SearchEngine } from './transport/search-engine.ts';
import { openSearchEngine } from './transport/search-engine-client.ts';

const PUBLIC_SHAPE = { shards: 1, replicas: 0 };

for (const { name, vendor, server } of CLUSTERS) {
  const { url, unavailable } = outsideServer(server);

  describe(`what is beyond the port on ${name}`, { skip: unavailable ?? false }, () => {
    let store: Datastore;
    let engine: SearchEngine;
    before(async () => {
      store = await openCluster({ vendor, url });
      engine = await openSearchEngine({
        vendor,
        hosts: [{ name: 'raw', url }],
        transportTimeout: 60_000,
        logger: SILENT,
      });
    });
    after(async () => {
      await engine.close();
      await store.close();
      await clearCluster(url, store.admin.prefix);
    });
    const aliasOf = (definition: CollectionDefinition<StoredDocument>) => `${store.admin.prefix}-${definition.name}`;
    const put = (path: string, body: unknown) => engine.request({ method: 'PUT', path: `/${path}`, body });
    const listed = async (pattern: string) =>
      (await store.admin.list(pattern)).map((info) => [info.name, info.documents, info.aliases]);

    it('makes one index, however many begin at once', async () => {
      const definition = thingDefinition();
      const others = await Promise.all([1, 2, 3].map(() => openCluster({ vendor, url, prefix: store.admin.prefix })));
      await Promise.all(
        [store, ...others].map((one, at) => one.collection(definition).save(`d${at}`, { thing_id: `d${at}` })),
      );
      const alias = aliasOf(definition);
      assert.deepEqual(await listed(`${alias}*`), [[`${alias}_hot`, 4, [{ name: alias, writeIndex: true }]]]);
      for (const other of others) await other.close();
    });

    it('uses an index of the public system as it is: an alias without a write index, a name without an alias', async () => {
      const body = elasticsearchIndexBody(thingDefinition() as CollectionDefinition<unknown>, PUBLIC_SHAPE);
      const behind = thingDefinition();
      await put(`${aliasOf(behind)}_hot`, { ...body, aliases: { [aliasOf(behind)]: {} } });
      const bare = thingDefinition();
      await put(aliasOf(bare), body);
      for (const definition of [behind, bare]) {
        const index = definition === bare ? aliasOf(bare) : `${aliasOf(behind)}_hot`;
        await put(`${index}/_doc/old?refresh=true`, { id: 'old', thing_id: 'old', port: 1 });
        const things = store.collection(definition);
        assert.deepEqual(await things.get('old', EVERYTHING), { thing_id: 'old', port: 1 });
        await things.update('old', [{ op: 'increment', path: 'port', by: 1 }]);
        await fill(things, [{ thing_id: 'new', port: 5 }]);
        assert.deepEqual(await found(things, 'port:[2 TO 5]'), ['new', 'old']);
      }
      assert.equal((await store.admin.list(`${aliasOf(bare)}*`)).length, 1);
    });

    it('takes an index without its alias for that of the collection', async () => {
      const definition = thingDefinition();
      await store.admin.create(`${aliasOf(definition)}_hot`, definition as CollectionDefinition<unknown>);
      await fill(store.collection(definition), [{ thing_id: 'a' }]);
      assert.equal(await store.collection(definition).count(ALL, EVERYTHING), 1);
    });

    it('makes its index again when someone deleted it, and never one without fields', async () => {
      const definition = thingDefinition();
      const things = store.collection(definition);
      await fill(things, [{ thing_id: 'a' }]);
      await store.admin.delete(`${aliasOf(definition)}_hot`);
      // The server must not make one of its own for the write that finds out.
      await assert.rejects(things.save('lost', { thing_id: 'lost' }), { code: 'index_missing' });
      await fill(things, [{ thing_id: 'b' }]);
      assert.deepEqual(await found(things, '*:*'), ['b']);
      assert.deepEqual(await listed(`${aliasOf(definition)}*`), [
        [`${aliasOf(definition)}_hot`, 1, [{ name: aliasOf(definition), writeIndex: true }]],
      ]);
    });

    it('scans and copies documents that do not repeat their identifier', async () => {
      const definition = thingDefinition() as CollectionDefinition<unknown>;
      const [from, to] = [`${aliasOf(thingDefinition())}-from`, `${aliasOf(thingDefinition())}-to`];
      await store.admin.create(from, definition);
      await store.admin.create(to, definition);
      await engine.request({
        method: 'POST',
        path: `/${from}/_bulk`,
        lines: ['b', 'a', 'ä', 'Z', 'c'].flatMap((id, at) => [
          { index: { _id: id } },
          { port: at, ...(at > 2 ? { id } : {}) },
        ]),
      });
      const scan = async (index: string, after?: string) =>
        (
          await Array.fromAsync(store.admin.scan(index, { batch: 2, ...(after === undefined ? {} : { after }) }))
        ).flat();
      assert.deepEqual(
        (await scan(from)).map(({ id }) => id),
        ['Z', 'a', 'b', 'c', 'ä'],
      );
      assert.deepEqual(await scan(from, 'b'), [
        { id: 'c', document: { port: 4 } },
        { id: 'ä', document: { port: 2 } },
      ]);
      const task = await store.admin.copy(from, to, { transform: (document) => document });
      while (!(await store.admin.task(task)).done) await sleep(20);
      assert.deepEqual(await scan(to), await scan(from));
    });

    it('copies whole numbers of any size, in requests no larger than they may be', async () => {
      const small = await openCluster({ vendor, url, prefix: store.admin.prefix, maxRequestSize: 400 });
      const definition = thingDefinition();
      const things = small.collection(definition);
      await fill(
        things,
        series(30, (at) => ({ port: at })),
      );
      const source = `${aliasOf(definition)}_hot`;
      await engine.request({
        method: 'PUT',
        path: `/${source}/_doc/t0003`,
        body: { thing_id: 't0003', id: 't0003', size: 9007199254740993n },
      });
      const target = `${source}-copy`;
      await small.admin.create(target, definition as CollectionDefinition<unknown>);
      const task = await small.admin.copy(source, target, {
        transform: (document) => ({ ...document, name: 'copied' }),
      });
      while (!(await small.admin.task(task)).done) await sleep(20);
      assert.deepEqual(await small.admin.task(task), { done: true, total: 30, created: 30, failures: [] });
      const { body } = await engine.request<{ _source: object }>({ method: 'GET', path: `/${target}/_doc/t0003` });
      assert.deepEqual(body._source, { thing_id: 't0003', id: 't0003', size: 9007199254740993n, name: 'copied' });
      await small.close();
    });

    it('says which documents a copy could not take', async () => {
      const definition = thingDefinition() as CollectionDefinition<unknown>;
      const [from, to] = [`${aliasOf(thingDefinition())}-from`, `${aliasOf(thingDefinition())}-to`];
      await store.admin.create(from, definition);
      await store.admin.create(to, definition);
      for (const id of ['a', 'b', 'c']) await put(`${from}/_doc/${id}?refresh=true`, { id, port: 1 });
      const task = await store.admin.copy(from, to, {
        transform: (document) => ({ ...document, port: 'no number' }),
      });
      while (!(await store.admin.task(task)).done) await sleep(20);
      const { created, failures } = await store.admin.task(task);
      assert.equal(created, 0);
      assert.equal(failures.length, 3);
      assert.match(failures[0] ?? '', /^a: .*port/);
    });

    it('raises the limit of fields when it is reached', async () => {
      const index = `${aliasOf(thingDefinition())}-narrow`;
      const limit = { mapping: { total_fields: { limit: 3 } } };
      await put(index, { settings: { index: limit }, mappings: { properties: { a: { type: 'keyword' } } } });
      await store.admin.addFields(index, wide(40) as CollectionDefinition<unknown>);
      await store.admin.addFields(index, wide(40) as CollectionDefinition<unknown>);
      const { body } = await engine.request<Record<string, { mappings: { properties: object } }>>({
        method: 'GET',
        path: `/${index}/_mapping`,
      });
      const fields = Object.keys(body[index]?.mappings.properties ?? {});
      assert.ok(fields.includes('f0') && fields.includes('f39') && fields.includes('a'), fields.join());
    });

    it('refuses fields of another type, naming all of them, and changes nothing then', async () => {
      const index = `${aliasOf(thingDefinition())}-old`;
      await put(index, {
        mappings: {
          properties: { f0: { type: 'long' }, f1: { type: 'integer', index: false }, f2: { type: 'integer' } },
        },
      });
      await assert.rejects(store.admin.addFields(index, wide(5) as CollectionDefinition<unknown>), {
        kind: 'conflict',
        code: 'field_mismatch',
        message: /f0 is long and has to be integer; f1 is not indexed and has to be indexed\. Reindex/,
      });
      const { body } = await engine.request<Record<string, { mappings: { properties: object } }>>({
        method: 'GET',
        path: `/${index}/_mapping`,
      });
      assert.deepEqual(Object.keys(body[index]?.mappings.properties ?? {}), ['f0', 'f1', 'f2']);
    });

    it('leaves alone what is searchable and need not be, and templates of others', async () => {
      const index = `${aliasOf(thingDefinition())}-pictures`;
      const date = (end: string) => ({ date: { path_match: `*_${end}`, mapping: { type: 'date' } } });
      const raw = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
      const properties = { __non_doc_raw__: raw, __text__: { type: 'text' }, id: { type: 'keyword', store: true } };
      await put(index, { mappings: { properties, dynamic_templates: [date('dt'), date('dts')] } });
      const mappingsOf = async () => (await engine.request({ method: 'GET', path: `/${index}/_mapping` })).body;
      const before = await mappingsOf();
      await store.admin.addFields(index, userAvatarDocument as CollectionDefinition<unknown>);
      assert.deepEqual(await mappingsOf(), before);
    });

    it('adds the templates of free keys to those that are there', async () => {
      const index = `${aliasOf(thingDefinition())}-free`;
      const kept = { mine: { path_match: 'mine.*', mapping: { type: 'keyword' } } };
      await put(index, { mappings: { dynamic_templates: [kept] } });
      await store.admin.addFields(index, wide(1) as CollectionDefinition<unknown>);
      await put(`${index}/_doc/a?refresh=true`, { labels: { k: '5' }, mine: { k: '5' } });
      const { body } = await engine.request<Record<string, { mappings: Mapped }>>({
        method: 'GET',
        path: `/${index}/_mapping`,
      });
      const { properties } = body[index]?.mappings ?? {};
      assert.equal(properties?.labels?.properties?.k?.type, 'keyword');
      assert.equal(properties?.mine?.properties?.k?.type, 'keyword');
    });

    it('gives new indices the shards and replicas that are asked for, and is well without the replicas', async () => {
      const shaped = await openCluster({
        vendor,
        url,
        prefix: store.admin.prefix,
        shape: () => ({ shards: 2, replicas: 1 }),
      });
      const definition = thingDefinition();
      await fill(shaped.collection(definition), [{ thing_id: 'a' }]);
      const index = `${aliasOf(definition)}_hot`;
      const { body } = await engine.request<Record<string, { settings: Record<string, string> }>>({
        method: 'GET',
        path: `/${index}/_settings`,
        query: { flat_settings: true },
      });
      const settings = body[index]?.settings;
      assert.deepEqual([settings?.['index.number_of_shards'], settings?.['index.number_of_replicas']], ['2', '1']);
      const { ok, detail } = await shaped.health();
      assert.ok(ok, detail);
      await shaped.close();
    });
  });
}

interface Mapped {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Mapped>>;
}

/** A kind with so many numbers. */
function wide(count: number) {
  const numbers = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`f${at}`, integer('A number.').optional()]),
  );
  return defineDocument({
    name: 'wide',
    title: 'Wide',
    description: 'Many fields.',
    idField: 'wide_id',
    defaultSort: [{ field: 'wide_id', order: 'asc' }],
    fields: {
      wide_id: keyword('Identifier.'),
      labels: mapping('Free keys.', keyword('Value.')).optional(),
      ...numbers,
    },
  });
}
