import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { clearCluster } from '../../../testing/servers/clear-cluster.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { ALL, EVERYTHING, fill, found, idOf, thingDefinition } from '../../conformance/things.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import { ABSENT } from '../../port/versions.ts';
import { openElasticsearchDatastore } from '../elasticsearch-datastore.ts';
import { openSearchEngine } from '../transport/search-engine-client.ts';

const { url, unavailable } = outsideServer('opensearch');
const now = { visible: 'now' } as const;

describe('documents as they lie on a cluster', { skip: unavailable ?? false }, () => {
  it('keeps the identifier as a field, as the public system does, and shows it to no one', async () => {
    await using bench = await openBench();
    const { things } = bench;
    const document = { thing_id: 'a', name: 'x', labels: { id: 'inner' } };
    await things.save('a', document);
    assert.deepEqual(await bench.sourceOf('a'), { ...document, id: 'a' });
    await things.save('empty', {}, now);
    assert.deepEqual(await bench.sourceOf('empty'), { id: 'empty' });
    await things.update('a', [{ op: 'set', path: 'port', value: 1 }]);
    await things.updateWhere(ALL, [{ op: 'set', path: 'name', value: 'y' }], { ...now, access: EVERYTHING });
    assert.deepEqual(await bench.sourceOf('a'), { ...document, name: 'y', port: 1, id: 'a' });
    assert.deepEqual(await things.get('a', EVERYTHING), { ...document, name: 'y', port: 1 });
    const streamed = await Array.fromAsync(things.stream(ALL, EVERYTHING));
    assert.deepEqual(
      streamed.map(({ document: { id } }) => id),
      [undefined, undefined],
    );
  });

  it('stores its own identifier over one that a document brings along', async () => {
    await using bench = await openBench();
    await bench.things.save('a', { id: 'other', thing_id: 'a' }, now);
    assert.equal((await bench.sourceOf('a')).id, 'a');
    assert.deepEqual(await found(bench.things, 'id:a'), ['a']);
    assert.deepEqual(await found(bench.things, 'id:other'), []);
  });

  it('keeps every digit of integers', async () => {
    await using bench = await openBench();
    const { things } = bench;
    await bench.put('a', '{"thing_id":"a","size":9223372036854775807,"port":1,"id":"a"}');
    assert.equal((await things.get('a', EVERYTHING))?.size, 2n ** 63n - 1n);
    await things.update('a', [{ op: 'increment', path: 'port', by: 1 }], now);
    await things.updateWhere(ALL, [{ op: 'increment', path: 'port', by: 1 }], { ...now, access: EVERYTHING });
    await things.bulk([{ kind: 'update', id: 'a', operations: [{ op: 'increment', path: 'port', by: 1 }] }]);
    assert.deepEqual(await bench.sourceOf('a'), { thing_id: 'a', size: 9223372036854775807n, port: 4, id: 'a' });
  });

  it('writes to no other index because a version says so', async () => {
    await using bench = await openBench();
    const victim = `${bench.prefix}-victim-000001`;
    await bench.store.admin.create(victim, thingDefinition() as CollectionDefinition<unknown>);
    await bench.things.save('a', { thing_id: 'a' });
    for (const ifVersion of [`${victim}---0---1`, `${victim.toUpperCase()}---0---1`, `../${victim}---0---1`]) {
      await assert.rejects(bench.things.save('a', { thing_id: 'a' }, { ifVersion }), { code: 'version_conflict' });
      await assert.rejects(bench.things.delete('a', { ifVersion }), { code: 'version_conflict' });
    }
    assert.equal((await bench.store.admin.list(victim))[0]?.documents, 0);
  });

  it('refuses identifiers that no document can have, and nothing beside them', async () => {
    await using bench = await openBench();
    const long = 'é'.repeat(257);
    const results = await bench.things.bulk([
      { kind: 'save', id: '', document: {} },
      { kind: 'save', id: 'fits', document: { thing_id: 'fits' } },
      { kind: 'save', id: long, document: {} },
      { kind: 'delete', id: long },
      { kind: 'update', id: long, operations: [] },
      { kind: 'save', id: 'é'.repeat(256), document: {} },
    ]);
    assert.deepEqual(
      results.map((result) => (result.ok ? 'ok' : result.code)),
      ['invalid_document', 'ok', 'invalid_document', 'ok', 'document_missing', 'ok'],
    );
    assert.equal(await bench.things.get(long, EVERYTHING), undefined);
    assert.equal(await bench.things.get('', EVERYTHING), undefined);
  });

  it('refuses what the index cannot map, with its reason, and stores what stands beside it', async () => {
    await using bench = await openBench();
    const results = await bench.things.bulk([
      { kind: 'save', id: 'a', document: { thing_id: 'a', port: 'no number' } },
      { kind: 'save', id: 'b', document: { thing_id: 'b', port: 1 } },
    ]);
    assert.deepEqual(
      results.map((result) => (result.ok ? 'ok' : result.code)),
      ['invalid_document', 'ok'],
    );
    assert.ok(!results[0]?.ok && /port/.test(results[0]?.message ?? ''));
    const creation = bench.things.createAll([
      { id: 'c', document: { thing_id: 'c' } },
      { id: 'd', document: { thing_id: 'd', port: 'no number' } },
    ]);
    await assert.rejects(creation, { code: 'invalid_document' });
    assert.equal(await bench.things.get('c', EVERYTHING), undefined);
  });
});

describe('documents in several generations, when another process has rolled over', {
  skip: unavailable ?? false,
}, () => {
  it('changes and deletes them where they lie', async () => {
    await using bench = await openBench();
    await bench.rollOverElsewhere([
      { thing_id: 'saved', port: 1 },
      { thing_id: 'deleted', port: 1 },
      { thing_id: 'created', port: 1 },
      { thing_id: 'updated', port: 1 },
    ]);
    const { things, alias } = bench;
    await things.save('saved', { thing_id: 'saved', port: 2 }, now);
    await bench.forgetAndRollOver();
    assert.equal(await things.delete('deleted', now), true);
    await bench.forgetAndRollOver();
    await assert.rejects(things.save('created', { thing_id: 'created', port: 2 }, { ifVersion: ABSENT }), {
      code: 'already_exists',
    });
    await bench.forgetAndRollOver();
    await things.update('updated', [{ op: 'increment', path: 'port', by: 1 }], now);
    const items = await Array.fromAsync(things.stream(ALL, EVERYTHING));
    assert.deepEqual(
      items.map(({ document }) => [idOf(document), document.port]),
      [
        ['created', 1],
        ['saved', 2],
        ['updated', 2],
      ],
    );
    assert.deepEqual(
      (await bench.store.admin.list(`${alias}-*`)).map(({ documents }) => documents),
      [3, 0, 0, 0, 0],
    );
  });

  it('finds by identifier what another process has put into a generation that is not known yet', async () => {
    await using bench = await openBench();
    await bench.rollOverElsewhere([{ thing_id: 'first' }]);
    await bench.elsewhere.save('second', { thing_id: 'second' });
    const documents = await bench.things.getMany(['second', 'first', 'none'], EVERYTHING);
    assert.deepEqual(
      documents.map((document) => document?.thing_id),
      ['second', 'first', undefined],
    );
    await bench.forgetAndRollOver();
    await bench.elsewhere.save('third', { thing_id: 'third' });
    const { version } = (await bench.things.getVersioned('third', EVERYTHING)) ?? {};
    assert.match(version ?? '', /-000003---0---1$/);
    await bench.things.save('third', { thing_id: 'third', name: 'x' }, { ...now, ifVersion: version ?? '' });
    assert.deepEqual(await found(bench.things, 'name:x'), ['third']);
  });
});

async function openBench() {
  const prefix = `storage${randomBytes(6).toString('hex')}`;
  const definition = thingDefinition();
  const alias = `${prefix}-${definition.name}`;
  const hosts = [{ name: 'test', url }];
  const open = () => openElasticsearchDatastore({ vendor: 'opensearch', hosts, prefix, transportTimeout: 30_000 });
  const [store, other] = await Promise.all([open(), open()]);
  const engine = await openSearchEngine({ vendor: 'opensearch', hosts, transportTimeout: 30_000, logger: SILENT });
  const things = store.collection(definition);
  const elsewhere = other.collection(definition);
  const path = (id: string): string => `/${encodeURIComponent(alias)}/_doc/${encodeURIComponent(id)}`;
  return {
    prefix,
    alias,
    store,
    things,
    elsewhere,
    async sourceOf(id: string): Promise<Record<string, unknown>> {
      const { body } = await engine.request<{ _source: Record<string, unknown> }>({ method: 'GET', path: path(id) });
      return body._source;
    },
    /** Stores JSON as another program would. */
    async put(id: string, json: string): Promise<void> {
      await things.get(id, EVERYTHING);
      await engine.request({
        method: 'POST',
        path: '/_bulk',
        query: { refresh: true },
        lines: [{ index: { _index: alias, _id: id } }, json],
      });
    },
    /** Documents in a first generation; then another process begins a second one. */
    async rollOverElsewhere(documents: readonly Record<string, unknown>[]): Promise<void> {
      const wide = definition as CollectionDefinition<unknown>;
      await store.admin.putTemplate(`${alias}_template`, `${alias}-*`, wide);
      await store.admin.create(`${alias}-000001`, wide, { aliases: [{ name: alias, writeIndex: true }] });
      await fill(things, documents);
      await other.admin.rollover(alias, { force: true });
    },
    /** This process learns the generations there are; then another begins one more. */
    async forgetAndRollOver(): Promise<void> {
      await things.get(`unknown${randomBytes(4).toString('hex')}`, EVERYTHING);
      await other.admin.rollover(alias, { force: true });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([store.close(), other.close(), engine.close()]);
      await clearCluster(url, prefix);
    },
  };
}
