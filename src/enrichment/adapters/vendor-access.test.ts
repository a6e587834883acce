import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import type { SourceCall } from '../sources/source-client.ts';
import { SourceFailure } from '../sources/source-failure.ts';
import { VendorAccess } from './vendor-access.ts';

const KEY = 'secret-key';
const AT_ONCE = async () => {};

describe('VendorAccess', () => {
  it('sends the key to the vendor alone, where the adapter says', async (context) => {
    await using other = await startScriptedServer(() => ({ body: {} }));
    for (const place of ['header', 'query'] as const) {
      const { access, server } = await open(context, () => ({ body: {} }), place);
      await access.send({ path: '/a', query: { q: 'x&y' } }, callOf(), AT_ONCE);
      await access.send({ base: `${other.url}/deep/`, path: '/b' }, callOf(), AT_ONCE);
      const [{ url = '', headers = {} } = {}] = server.requests;
      assert.equal(url, place === 'query' ? `/base/a?q=x%26y&x-key=${KEY}` : '/base/a?q=x%26y');
      assert.equal(headers['x-key'], place === 'header' ? KEY : undefined);
    }
    assert.deepEqual(
      other.requests.map(({ url }) => url),
      ['/deep/b', '/deep/b'],
    );
    assert.doesNotMatch(JSON.stringify(other.requests), new RegExp(KEY));
  });

  it('keeps answers that are the same for all values, and asks no limits for them', async (context) => {
    const { access, server } = await open(context, ({ url }) =>
      url.endsWith('/list') ? { body: { a: 1 } } : { status: 500 },
    );
    let waited = 0;
    const wait = async () => {
      waited += 1;
    };
    for (let call = 0; call < 3; call += 1) {
      assert.deepEqual(await access.send({ path: '/list', keep: 60 }, callOf(), wait), { a: 1 });
    }
    assert.deepEqual([server.requests.length, waited], [1, 1]);
  });

  it('keeps no failure', async (context) => {
    let status = 404;
    const { access } = await open(context, () => ({ status, body: { a: 1 } }));
    assert.equal(await access.send({ path: '/list', keep: 60 }, callOf(), AT_ONCE), undefined);
    status = 200;
    assert.deepEqual(await access.send({ path: '/list', keep: 60 }, callOf(), AT_ONCE), { a: 1 });
  });

  it('repeats nothing when the rates allow no more requests', async (context) => {
    const { access, server } = await open(context, () => ({ status: 503 }));
    const anotherRequest = async () => {
      throw new SourceFailure('refused', 'no more');
    };
    await assert.rejects(access.send({ path: '/a' }, callOf({ anotherRequest }), AT_ONCE), {
      kind: 'status',
      status: 503,
    });
    assert.equal(server.requests.length, 1);
  });

  it('ends when the caller hangs up', async (context) => {
    const { access, server } = await open(context, () => 'hang');
    const ending = new AbortController();
    const asked = access.send({ path: '/a' }, callOf({ signal: ending.signal }), AT_ONCE);
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    ending.abort();
    await assert.rejects(asked, { kind: 'cancelled' });
  });

  it('distinguishes a broken and a missing connection from an answer', async (context) => {
    const { access } = await open(context, () => 'reset');
    await assert.rejects(access.send({ path: '/a' }, callOf(), AT_ONCE), { kind: 'unreachable', isReset: true });
    const gone = new VendorAccess({ adapter: { title: 'T' }, name: 'n', url: 'http://127.0.0.1:1', key: undefined });
    context.after(() => gone.close());
    await assert.rejects(gone.send({ path: '/a' }, callOf(), AT_ONCE), { kind: 'unreachable', isReset: false });
  });
});

async function open(context: TestContext, script: Script, place: 'header' | 'query' = 'header') {
  const server = await startScriptedServer(script);
  const adapter = { title: 'Vendor', key: { in: place, name: 'x-key' }, statuses: { 404: 'unknown' } } as const;
  const access = new VendorAccess({ adapter, name: 'vendor', url: `${server.url}/base`, key: KEY });
  context.after(async () => {
    await access.close();
    await server[Symbol.asyncDispose]();
  });
  return { access, server };
}

function callOf(more: Partial<SourceCall> = {}): SourceCall {
  return {
    deadline: Date.now() + 10_000,
    signal: new AbortController().signal,
    caller: { username: 'goose', classification: '' },
    ...more,
  };
}
