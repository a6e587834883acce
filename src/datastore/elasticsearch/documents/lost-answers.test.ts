import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTriadError } from '../../../errors/errors.ts';
import { openMeddledThings, secondBulk } from '../../../testing/meddled-things.ts';
import type { Meddling, PassedRequest } from '../../../testing/servers/meddling-proxy.ts';
import { outsideServer } from '../../../testing/servers/outside-servers.ts';
import { ALL, EVERYTHING, fill, series } from '../../conformance/things.ts';
import { changeDocument } from '../../port/change-document.ts';

const { url, unavailable } = outsideServer('opensearch');
const INCREMENT = [{ op: 'increment', path: 'port', by: 1 }] as const;

describe('changes that were carried out without a word of the cluster', { skip: unavailable ?? false }, () => {
  it('are not made again when the cluster says of the item alone that it could not', async () => {
    let bulks = 0;
    await using bench = await openMeddledThings({
      meddle: async (request, direct) => {
        if (!request.url.startsWith('/_bulk')) return 'pass';
        bulks += 1;
        if (bulks === 1) return carriedOutAndFailed(request);
        // Another process comes in between.
        if (bulks === 2) await direct().update('a', [{ op: 'set', path: 'name', value: 'other' }]);
        return 'pass';
      },
    });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    await assert.rejects(bench.things.update('a', INCREMENT), { code: 'datastore_unavailable' });
    assert.deepEqual(await bench.direct.get('a', EVERYTHING), { thing_id: 'a', port: 2, name: 'other' });
  });

  it('are reported as done when the cluster says of the item alone that it could not, and no one came in between', async () => {
    await using bench = await openMeddledThings({ meddle: firstItemFails() });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    assert.equal((await bench.things.update('a', INCREMENT)).document.port, 2);
    assert.equal((await bench.direct.get('a', EVERYTHING))?.port, 2);
  });

  it('are not made again on the version that the caller read', async () => {
    await using bench = await openMeddledThings({
      meddle: secondBulk((direct) => direct.update('a', [{ op: 'set', path: 'name', value: 'other' }])),
    });
    const ifVersion = await bench.direct.save('a', { thing_id: 'a', port: 1 });
    await assert.rejects(bench.things.update('a', INCREMENT, { ifVersion }), { code: 'datastore_unavailable' });
    assert.deepEqual(await bench.direct.get('a', EVERYTHING), { thing_id: 'a', port: 2, name: 'other' });
  });

  it('are not made again by those who read, change and save', async () => {
    await using bench = await openMeddledThings({
      meddle: secondBulk((direct) => direct.update('a', [{ op: 'set', path: 'name', value: 'other' }])),
    });
    await bench.direct.save('a', { thing_id: 'a', port: 1 });
    await assert.rejects(
      changeDocument(bench.things, 'a', ({ port, ...rest }) => ({ ...rest, port: Number(port) + 1 }), {
        access: EVERYTHING,
      }),
      (error) => isTriadError(error) && error.code === 'datastore_unavailable',
    );
    assert.equal((await bench.direct.get('a', EVERYTHING))?.port, 2);
  });

  it('are taken back, or never begun, when a creation takes longer than the list of indices is remembered', async () => {
    let begun = false;
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => {
        if (path.startsWith('/_alias')) return begun ? 'cut' : 'pass';
        if (!path.startsWith('/_bulk')) return 'pass';
        begun = true;
        await sleep(1100);
        return 'pass';
      },
      requestBatchSize: 1,
      timeout: 8000,
    });
    await bench.things.createAll(series(6).map((document) => ({ id: String(document.thing_id), document })));
  });

  it('are no fault of the caller when the cluster forgot what it had found', async () => {
    const error = { type: 'search_context_missing_exception', reason: 'No search context found for id [1]' };
    let searches = 0;
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) => {
        if (!path.startsWith('/_search?') && path !== '/_search') return 'pass';
        searches += 1;
        return searches < 2 ? 'pass' : { status: 404, body: { error, status: 404 } };
      },
      requestBatchSize: 2,
    });
    await fill(bench.direct, series(5));
    const name = [{ op: 'set', path: 'name', value: 'x' }] as const;
    await assert.rejects(bench.things.updateWhere(ALL, name, { access: EVERYTHING }), {
      kind: 'unavailable',
      code: 'datastore_unavailable',
    });
  });

  it('are told of a copy that the cluster ended before its end', async () => {
    const search = { index: 'x', shard: 0, reason: { type: 'node_closed_exception', reason: 'node closed' } };
    const responses = [{ canceled: 'by user request' }, { timed_out: true }, { failures: [search] }];
    let response = {};
    await using bench = await openMeddledThings({
      meddle: async ({ url: path }) =>
        path.startsWith('/_tasks/')
          ? { status: 200, body: { completed: true, response: { total: 9, created: 3, ...response } } }
          : 'pass',
    });
    for (const [at, told] of [/by user request/, /too long/, /node closed/].entries()) {
      response = responses[at] ?? {};
      const { failures } = await bench.meddledAdmin.task('node:1');
      assert.equal(failures.length, 1, String(told));
      assert.match(String(failures[0]), told);
      assert.doesNotMatch(String(failures[0]), /undefined/);
    }
  });
});

/** Carries a bulk of one item out, and says that its shard gave no answer. */
async function carriedOutAndFailed({ url: path, body }: PassedRequest): Promise<Meddling> {
  await fetch(new URL(path, url), { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body });
  const error = { type: 'node_disconnected_exception', reason: '[node][127.0.0.1:9300] disconnected' };
  return { status: 200, body: { errors: true, items: [{ index: { _index: 'x', _id: 'a', status: 500, error } }] } };
}

function firstItemFails() {
  let bulks = 0;
  return async (request: PassedRequest): Promise<Meddling> => {
    if (!request.url.startsWith('/_bulk')) return 'pass';
    bulks += 1;
    return bulks === 1 ? carriedOutAndFailed(request) : 'pass';
  };
}
