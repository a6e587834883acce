import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTriadError } from '../../../errors/errors.ts';
import { firstBulk, openMeddledThings, secondBulk } from '../../../testing/meddled-things.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { EVERYTHING, fill, found, series } from '../../conformance/things.ts';
import { ABSENT } from '../../port/versions.ts';

const { unavailable } = outsideServer('opensearch');
const INCREMENT = [{ op: 'increment', path: 'port', by: 1 }] as const;

describe('documents on a cluster behind a bad connection', { skip: unavailable ?? false }, () => {
  it('reports a creation whose answer was lost as done, and a second one as refused', async () => {
    await using bench = await openMeddledThings({ meddle: firstBulk('lose') });
    const version = await bench.things.save('a', { thing_id: 'a' }, { ifVersion: ABSENT });
    assert.equal((await bench.things.getVersioned('a', EVERYTHING))?.version, version);
    await assert.rejects(bench.things.save('a', { thing_id: 'a', port: 1 }, { ifVersion: ABSENT }), {
      code: 'already_exists',
    });
  });

  it('does not take the document of another for its own', async () => {
    await using bench = await openMeddledThings({
      meddle: firstBulk('cut', (direct) => direct.save('a', { thing_id: 'a', name: 'other' })),
    });
    await assert.rejects(bench.things.save('a', { thing_id: 'a', name: 'own' }, { ifVersion: ABSENT }), {
      code: 'already_exists',
    });
    assert.equal((await bench.things.get('a', EVERYTHING))?.name, 'other');
  });

  it('makes writes once whose answer was lost', async () => {
    await using bench = await openMeddledThings({ meddle: firstBulk('lose') });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    assert.equal((await bench.things.update('a', INCREMENT)).document.port, 2);
    bench.meddleAgain();
    const version = await bench.things.save('a', { thing_id: 'a', port: 5 });
    bench.meddleAgain();
    const next = await bench.things.save('a', { thing_id: 'a', port: 6 }, { ifVersion: version });
    assert.equal((await bench.direct.getVersioned('a', EVERYTHING))?.version, next);
    bench.meddleAgain();
    assert.equal(await bench.things.delete('a'), true);
    assert.equal(await bench.direct.get('a', EVERYTHING), undefined);
  });

  it('says that no one knows, when others came after an update whose answer was lost', async () => {
    const states: unknown[] = [];
    await using bench = await openMeddledThings({
      meddle: secondBulk(async (direct) => {
        states.push((await direct.get('a', EVERYTHING))?.port);
        await direct.save('a', { thing_id: 'a', port: 100 });
      }),
    });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    await assert.rejects(bench.things.update('a', INCREMENT), { kind: 'unavailable', code: 'datastore_unavailable' });
    assert.deepEqual(states, [2]);
    assert.equal((await bench.direct.get('a', EVERYTHING))?.port, 100);
  });

  it('makes an update again that others came before', async () => {
    await using bench = await openMeddledThings({
      meddle: firstBulk('pass', (direct) => direct.update('a', INCREMENT)),
    });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    assert.equal((await bench.things.update('a', INCREMENT)).document.port, 3);
  });

  it('sends again what the server had no room for', async () => {
    const busy = { type: 'es_rejected_execution_exception', reason: 'queue is full' };
    await using bench = await openMeddledThings({
      meddle: firstBulk({
        status: 200,
        body: { errors: true, items: series(3).map(() => ({ index: { _index: 'x', status: 429, error: busy } })) },
      }),
    });
    await fill(bench.things, series(3));
    assert.equal((await found(bench.direct, '*:*')).length, 3);
  });

  it('sends less at a time when the server takes less, and refuses one document that is too large by itself', async () => {
    await using bench = await openMeddledThings({
      meddle: async ({ url: path, body }) =>
        path.startsWith('/_bulk') && body.length > 2000 ? { status: 413, body: '' } : 'pass',
    });
    const results = await bench.things.bulk(
      series(20, (index) => ({ name: 'x'.repeat(index === 7 ? 3000 : 300) })).map((document) => ({
        kind: 'save',
        id: String(document.thing_id),
        document,
      })),
      { visible: 'now' },
    );
    assert.deepEqual(
      results.flatMap((result) => (result.ok ? [] : [[result.id, result.code]])),
      [['t0007', 'document_too_large']],
    );
    assert.equal((await found(bench.direct, '*:*')).length, 19);
  });

  it('gives up within the transport timeout, and says so of each item', async () => {
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => (path.startsWith('/_bulk') ? 'cut' : 'pass'),
    });
    const started = performance.now();
    const [result] = await bench.things.bulk([{ kind: 'save', id: 'a', document: { thing_id: 'a' } }]);
    assert.ok(result?.ok === false && result.code === 'datastore_unavailable');
    assert.ok(performance.now() - started < 6000, 'it took longer than the transport timeout');
    await assert.rejects(bench.things.save('a', { thing_id: 'a' }), (error) => {
      return isTriadError(error) && error.code === 'datastore_unavailable' && (error.retryAfter ?? 0) > 0;
    });
  });

  for (const [what, several] of [
    ['many requests', series(9).map(({ thing_id }) => String(thing_id))],
    ['many items of one document', Array<string>(9).fill('t0000')],
  ] as const) {
    it(`gives up within the transport timeout a bulk of ${what}`, async () => {
      await using bench = await openMeddledThings({
        meddle: async ({ url: path }) => (path.startsWith('/_bulk') ? 'cut' : 'pass'),
        requestBatchSize: 1,
      });
      const started = performance.now();
      const results = await bench.things.bulk(several.map((id) => ({ kind: 'save', id, document: { thing_id: id } })));
      const took = performance.now() - started;
      assert.ok(took < 6000, `after ${Math.round(took)} ms`);
      assert.deepEqual(
        results.map((result) => (result.ok ? 'ok' : result.code)),
        Array(9).fill('datastore_unavailable'),
      );
    });
  }

  it('does not take a document for missing when the engine could not look', async () => {
    const error = { type: 'no_shard_available_action_exception', reason: 'No shard available for [get [x][a]]' };
    let started = false;
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) =>
        started || !path.includes('/_mget')
          ? 'pass'
          : { status: 200, body: { docs: [{ _index: 'x', _id: 'a', error }] } },
    });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    await assert.rejects(bench.things.get('a', EVERYTHING), { code: 'datastore_unavailable' });
    await assert.rejects(bench.things.update('a', INCREMENT), { code: 'datastore_unavailable' });
    started = true;
    assert.equal((await bench.things.update('a', INCREMENT)).document.port, 2);
  });

  it('tells what was done of a bulk before the engine went away', async () => {
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => (path.includes('/_mget') ? 'cut' : 'pass'),
    });
    const results = await bench.things.bulk([
      { kind: 'save', id: 'a', document: { thing_id: 'a', port: 1 } },
      { kind: 'update', id: 'a', operations: INCREMENT },
      { kind: 'save', id: 'b', document: { thing_id: 'b' } },
    ]);
    assert.deepEqual(
      results.map((result) => (result.ok ? 'ok' : result.code)),
      ['ok', 'datastore_unavailable', 'ok'],
    );
    assert.equal((await bench.direct.get('a', EVERYTHING))?.port, 1);
    assert.notEqual(await bench.direct.get('b', EVERYTHING), undefined);
  });

  it('takes back new documents when the engine goes away in the middle', async () => {
    await using bench = await openMeddledThings({
      meddle: async ({ url: path, body }) => (path.startsWith('/_bulk') && body.includes('"t0003"') ? 'cut' : 'pass'),
      requestBatchSize: 2,
    });
    const documents = series(6).map((document) => ({ id: String(document.thing_id), document }));
    await assert.rejects(bench.things.createAll(documents), { code: 'datastore_unavailable' });
    const stored = await bench.direct.getMany(
      series(6).map(({ thing_id }) => String(thing_id)),
      EVERYTHING,
    );
    assert.deepEqual(stored, Array(6).fill(undefined));
  });

  it('takes back new documents although the answer was lost, or says that it could not', async () => {
    let reachable = true;
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => {
        if (!path.startsWith('/_bulk')) return reachable ? 'pass' : 'cut';
        reachable = false;
        return 'lose';
      },
    });
    await assert.rejects(bench.things.createAll([{ id: 'a', document: { thing_id: 'a' } }]), {
      kind: 'unavailable',
      code: 'partly_applied',
    });
  });

  it('knows that nothing is stored of new documents that never reached the engine', async () => {
    await using bench = await openMeddledThings({ meddle: async () => 'pass' });
    await bench.things.save('a', { thing_id: 'a' });
    await bench.leave();
    // A connection that was open before would leave a doubt.
    await assert.rejects(bench.things.get('a', EVERYTHING), { code: 'datastore_unavailable' });
    await assert.rejects(bench.things.createAll([{ id: 'b', document: { thing_id: 'b' } }]), {
      code: 'datastore_unavailable',
    });
  });

  it('takes back what was stored beside a document that another has created', async () => {
    await using bench = await openMeddledThings({ meddle: async () => 'pass' });
    await bench.direct.save('b', { thing_id: 'b', name: 'theirs' });
    const documents = ['a', 'b', 'c'].map((id) => ({ id, document: { thing_id: id } }));
    await assert.rejects(bench.things.createAll(documents), { code: 'already_exists' });
    assert.deepEqual(await bench.direct.getMany(['a', 'b', 'c'], EVERYTHING), [
      undefined,
      { thing_id: 'b', name: 'theirs' },
      undefined,
    ]);
  });

  it('refreshes once for many who wait', async () => {
    await using bench = await openMeddledThings({ meddle: async () => 'pass' });
    await bench.things.save('first', { thing_id: 'first' });
    await Promise.all(
      series(40).map((document) => bench.things.save(String(document.thing_id), document, { visible: 'now' })),
    );
    assert.equal((await found(bench.direct, 'thing_id:t*')).length, 40);
    const refreshes = bench.passed.filter(({ url: path }) => path.includes('/_refresh')).length;
    assert.ok(refreshes >= 1 && refreshes <= 20, `${refreshes} refreshes for 40 writes`);
  });
});
