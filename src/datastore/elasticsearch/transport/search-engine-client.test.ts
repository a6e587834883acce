import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freePort } from '../../../testing/servers/free-port.ts';
import { type Script, type ScriptedAnswer, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import { SILENT } from '../../port/datastore-logger.ts';
import type { EngineHost } from './engine-host.ts';
import type { SearchEngine } from './search-engine.ts';
import { openSearchEngine } from './search-engine-client.ts';

type Vendor = SearchEngine['vendor'];
const VENDORS: readonly Vendor[] = ['elasticsearch', 'opensearch'];
const PRODUCT = { 'x-elastic-product': 'Elasticsearch' };

const greeting = (vendor: Vendor, number = vendor === 'elasticsearch' ? '8.19.0' : '3.8.0'): ScriptedAnswer => ({
  headers: vendor === 'elasticsearch' ? PRODUCT : {},
  body: { version: { number, ...(vendor === 'opensearch' ? { distribution: 'opensearch' } : {}) } },
});

/** A server that says who it is, and answers everything else as the script says. */
const server = (vendor: Vendor, script: Script = () => ({})) =>
  startScriptedServer((request) => {
    if (request.url === '/') return greeting(vendor);
    const answer = script(request);
    return typeof answer === 'string' ? answer : { ...answer, headers: { ...PRODUCT, ...answer.headers } };
  });

interface Opening {
  readonly timeout?: number;
  readonly host?: Partial<EngineHost>;
  readonly logger?: DatastoreLogger;
}
const open = (
  vendor: Vendor,
  urls: string | readonly string[],
  { timeout = 3000, host, logger = SILENT }: Opening = {},
) =>
  openSearchEngine({
    vendor,
    hosts: [urls].flat().map((url, index) => ({ name: `host${index}`, url, ...host })),
    transportTimeout: timeout,
    logger,
  });

/** Returns a loopback address without a listener. */
const deadAddress = async () => `http://127.0.0.1:${await freePort()}`;

for (const vendor of VENDORS) {
  describe(`openSearchEngine with the client of ${vendor}`, () => {
    it('knows the version of the server', async () => {
      await using there = await server(vendor);
      const engine = await open(vendor, there.url);
      assert.equal(engine.vendor, vendor);
      assert.equal(engine.version, vendor === 'elasticsearch' ? '8.19.0' : '3.8.0');
      await engine.close();
    });

    it("refuses another vendor's server", async () => {
      const other = vendor === 'elasticsearch' ? 'opensearch' : 'elasticsearch';
      await using there = await server(other);
      await assert.rejects(open(vendor, there.url), {
        kind: 'unsupported',
        code: 'datastore_unsupported',
        message: new RegExp(`datastore.type is ${vendor}.*Set datastore.type to ${other}`),
      });
    });

    it('refuses versions that the adapter is not made for', async () => {
      await using there = await startScriptedServer(() => greeting(vendor, '1.3.2'));
      await assert.rejects(open(vendor, there.url), { code: 'datastore_unsupported', message: /1\.3\.2.*supported/ });
    });

    it('gives up a server that is not there within the timeout', async () => {
      const address = await deadAddress();
      const start = performance.now();
      await assert.rejects(open(vendor, address, { timeout: 400 }), {
        kind: 'unavailable',
        code: 'datastore_unavailable',
        retryAfter: 5,
        message: new RegExp(`${address}.*0\\.4 seconds.*ECONNREFUSED`),
      });
      const took = performance.now() - start;
      assert.ok(took >= 390 && took < 8000, `${took} ms`);
    });

    it('says at once that credentials are refused', async () => {
      await using there = await startScriptedServer(() => ({
        status: 401,
        headers: PRODUCT,
        body: { error: { type: 'security_exception', reason: 'unable to authenticate user [x]' }, status: 401 },
      }));
      await assert.rejects(open(vendor, there.url), {
        kind: 'unavailable',
        code: 'datastore_credentials_refused',
        message: /_HOST_APIKEY_ID/,
      });
      assert.equal(there.requests.length, 1);
    });

    it('signs in with an API key, else with user and password, else with those of the address', async () => {
      await using there = await server(vendor);
      const signed = async (host: Partial<EngineHost>, url = there.url) => {
        const engine = await open(vendor, url, { host });
        await engine.close();
        return there.requests.at(-1)?.headers.authorization;
      };
      const encoded = (text: string) => Buffer.from(text).toString('base64');
      const user = { username: 'us:er', password: 'pass' };
      assert.equal(await signed({}), undefined);
      assert.equal(await signed(user), `Basic ${encoded('us:er:pass')}`);
      assert.equal(await signed({ ...user, apikey_id: 'id', apikey_secret: 's' }), `ApiKey ${encoded('id:s')}`);
      assert.equal(await signed({}, there.url.replace('//', '//me:p%40ss@')), `Basic ${encoded('me:p@ss')}`);
    });
  });

  describe(`requests with the client of ${vendor}`, () => {
    it('sends JSON, lines and queries, over one connection', async () => {
      await using there = await server(vendor);
      const engine = await open(vendor, there.url);
      await engine.request({
        method: 'PUT',
        path: '/a%2Fb/_doc/1',
        query: { refresh: true, n: 2 },
        body: { big: 9007199254740993n, text: 'ä' },
      });
      await engine.request({ method: 'POST', path: '/_bulk', lines: [{ index: {} }, '{"raw":1}'] });
      const [, put, bulk] = there.requests;
      assert.deepEqual([put?.method, put?.url], ['PUT', '/a%2Fb/_doc/1?refresh=true&n=2']);
      assert.equal(put?.body, '{"big":9007199254740993,"text":"ä"}');
      assert.equal(bulk?.body, '{"index":{}}\n{"raw":1}\n');
      const json =
        vendor === 'elasticsearch' ? 'application/vnd.elasticsearch+json; compatible-with=8' : 'application/json';
      assert.equal(put?.headers['content-type'], json);
      assert.equal(put?.headers.accept, json);
      assert.match(bulk?.headers['content-type'] ?? '', /x-ndjson/);
      assert.equal(there.connections(), 1);
      await engine.close();
    });

    it('reads whole numbers of any size', async () => {
      await using there = await server(vendor, () => ({ body: '{"seq":9007199254740993,"took":5}' }));
      const engine = await open(vendor, there.url);
      const { status, body } = await engine.request({ method: 'GET', path: '/x' });
      assert.deepEqual([status, body], [200, { seq: 9007199254740993n, took: 5 }]);
      await engine.close();
    });

    it('answers with statuses that the caller accepts, and nothing for HEAD', async () => {
      await using there = await server(vendor, ({ method }) =>
        method === 'HEAD' ? { status: 404 } : { status: 404, body: { found: false } },
      );
      const engine = await open(vendor, there.url);
      const { status, body } = await engine.request({ method: 'GET', path: '/x', accept: [404] });
      assert.deepEqual([status, body], [404, { found: false }]);
      const head = await engine.request({ method: 'HEAD', path: '/x', accept: [404] });
      assert.deepEqual([head.status, head.body], [404, undefined]);
      await engine.close();
    });

    for (const status of [429, 502, 503, 504]) {
      it(`asks again after ${status}`, async () => {
        let left = 2;
        await using there = await server(vendor, () => (left-- > 0 ? { status, body: {} } : { body: { ok: true } }));
        const engine = await open(vendor, there.url);
        assert.deepEqual((await engine.request({ method: 'GET', path: '/x' })).body, { ok: true });
        assert.equal(there.requests.length, 4);
        await engine.close();
      });
    }

    it('asks again after a connection that was cut', async () => {
      let left = 2;
      await using there = await server(vendor, () => (left-- > 0 ? 'reset' : { body: { ok: true } }));
      const engine = await open(vendor, there.url);
      assert.deepEqual((await engine.request({ method: 'PUT', path: '/x', body: {} })).body, { ok: true });
      await engine.close();
    });

    it('asks again after an answer that broke off, and writes nothing to the console', async ({ mock }) => {
      const written = mock.method(console, 'log', () => {});
      let left = 2;
      await using there = await server(vendor, () => (left-- > 0 ? 'truncate' : { body: { ok: true } }));
      const engine = await open(vendor, there.url);
      assert.deepEqual((await engine.request({ method: 'GET', path: '/x' })).body, { ok: true });
      assert.equal(written.mock.callCount(), 0);
      await engine.close();
    });

    it('does not do twice what must not be done twice', async () => {
      let answer: ReturnType<Script> = { status: 503, body: {} };
      await using there = await server(vendor, () => answer);
      const engine = await open(vendor, there.url);
      const post = () => engine.request({ method: 'POST', path: '/x/_doc', body: {} });
      await assert.rejects(post(), { code: 'datastore_unavailable' });
      answer = 'reset';
      await assert.rejects(post(), { code: 'datastore_unavailable' });
      assert.equal(there.requests.length, 3);
      await engine.close();
    });

    it('goes to another host while one is gone, with everything that never reached that one', async () => {
      await using there = await server(vendor);
      const engine = await open(vendor, [await deadAddress(), there.url]);
      for (let round = 0; round < 6; round += 1) await engine.request({ method: 'POST', path: '/x', body: {} });
      assert.equal(there.requests.length, 7);
      await engine.close();
    });

    it('ends a request that gets no answer in time', async () => {
      await using there = await server(vendor, () => 'hang');
      const engine = await open(vendor, there.url);
      await assert.rejects(engine.request({ method: 'GET', path: '/x', timeout: 150 }), {
        code: 'datastore_unavailable',
        message: /no answer within 0\.15 seconds/,
      });
      await engine.close();
    });

    it('keeps asking a busy server until the time is over, and then says why', async () => {
      await using there = await server(vendor, () => ({
        status: 429,
        body: { error: { type: 'es_rejected_execution_exception', reason: 'queue full' } },
      }));
      const engine = await open(vendor, there.url);
      await assert.rejects(engine.request({ method: 'POST', path: '/x', timeout: 500 }), {
        code: 'datastore_unavailable',
        message: /queue full/,
      });
      const asked = there.requests.length;
      assert.ok(asked > 3 && asked < 30, `${asked} requests`);
      await engine.close();
    });

    it('does not ask again when the disk is full', async () => {
      const reason =
        'index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];';
      await using there = await server(vendor, () => ({
        status: 429,
        body: { error: { type: 'cluster_block_exception', reason }, status: 429 },
      }));
      const engine = await open(vendor, there.url);
      await assert.rejects(engine.request({ method: 'PUT', path: '/x', body: {} }), {
        kind: 'unavailable',
        code: 'write_blocked',
        retryAfter: 60,
        message: /disk .* watermark.*Free disk space/,
      });
      assert.equal(there.requests.length, 2);
      await engine.close();
    });

    it('stops when the caller does', async () => {
      await using there = await server(vendor, () => 'hang');
      const engine = await open(vendor, there.url);
      const stop = new AbortController();
      const asked = engine.request({ method: 'GET', path: '/x', signal: stop.signal });
      setTimeout(() => stop.abort(new Error('enough')), 50);
      await assert.rejects(asked, { message: 'enough' });
      await assert.rejects(engine.request({ method: 'GET', path: '/x', signal: stop.signal }), { message: 'enough' });
      await engine.close();
    });

    it('refuses requests once it is closed', async () => {
      await using there = await server(vendor);
      const engine = await open(vendor, there.url);
      await engine.close();
      await engine.close();
      await assert.rejects(engine.request({ method: 'GET', path: '/x' }), { code: 'datastore_unavailable' });
    });

    it('logs once that the server is gone and once that it is back', async () => {
      const lines: string[] = [];
      const logger: DatastoreLogger = {
        info: (_, message) => lines.push(message),
        warn: (_, message) => lines.push(message),
        error: () => {},
      };
      let answer: ReturnType<Script> = 'reset';
      await using there = await server(vendor, () => answer);
      const engine = await open(vendor, there.url, { logger });
      const get = () => engine.request({ method: 'POST', path: '/x' });
      await assert.rejects(get());
      await assert.rejects(get());
      answer = {};
      await get();
      await get();
      assert.equal(lines.length, 2);
      assert.match(lines[0] ?? '', /cannot be reached/);
      assert.match(lines[1] ?? '', /answers again/);
      await engine.close();
    });
  });
}
