import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { openListUpdates } from '../../../testing/enrichment/list-content.ts';
import { NEVER_ABORTED } from '../../../testing/enrichment/never-aborted.ts';
import { listSettingsOf } from '../../../testing/enrichment/read-list-text.ts';
import { type Script, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { selfSignedCertificate } from '../../../testing/servers/self-signed-certificate.ts';
import { ListConnection } from './list-connection.ts';

const DATE = 'Mon, 01 Jan 2024 00:00:00 GMT';

describe('lists at an address', () => {
  it('are fetched when they changed', async (context) => {
    const { update } = openListUpdates(context);
    await using server = await startScriptedServer(({ headers }) =>
      headers['if-none-match'] === '"1"' && headers['if-modified-since'] === DATE
        ? { status: 304 }
        : { headers: { etag: '"1"', 'last-modified': DATE }, body: 'a.example\n' },
    );
    const url = `${server.url}/list.txt?key=hidden`;
    const { values, version } = await update({ url });
    assert.deepEqual([values, version], [['a.example'], { etag: '"1"', lastModified: DATE }]);
    assert.equal((await update({ url }, version)).values, undefined);
    assert.deepEqual((await update({ url }, { etag: '"0"' })).values, ['a.example']);
  });

  it('may be packed by the transfer, as a file, or both', async (context) => {
    const { update } = openListUpdates(context);
    const packed = gzipSync('a.example\n');
    const encoded = { 'content-encoding': 'gzip' };
    for (const answer of [
      { body: packed },
      { body: packed, headers: encoded },
      { body: gzipSync(packed), headers: encoded },
    ]) {
      await using server = await startScriptedServer(() => answer);
      assert.deepEqual((await update({ url: server.url })).values, ['a.example']);
    }
  });

  it('are refused in one sentence that names neither credentials nor query', async (context) => {
    const { update } = openListUpdates(context);
    const cases: readonly (readonly [ReturnType<Script>, RegExp])[] = [
      [{ status: 401 }, /: the server answers 401\. Check `username` and `password`, or `api_key`\.$/],
      [{ status: 403 }, /: the server answers 403\. Check/],
      [{ status: 404 }, /: the server answers 404\.$/],
      [
        { status: 429, headers: { 'retry-after': '60' } },
        /answers 429\. The server wants no request before 60 seconds have passed\.$/,
      ],
      [
        { status: 503, headers: { 'retry-after': 'Fri, 01 Jan 2027 00:00:00 GMT' } },
        /answers 503\. .* before 2027-01-01T00:00:00\.000Z\.$/,
      ],
      [{ status: 204 }, /: it is empty\.$/],
      [{ body: '<html>' }, /: it has nothing that the format text understands/],
      ['truncate', /: the connection broke in the middle of the answer\.$/],
      ['reset', /: the connection broke in the middle of the answer\.$/],
      [
        { status: 302, headers: { location: 'ftp://a.example/' } },
        /: it redirects to an address that is not one of HTTP\.$/,
      ],
      [{ status: 302 }, /: it redirects to an address that is not one of HTTP\.$/],
      [{ status: 302, headers: { location: '/again' } }, /again: it redirects more than 3 times\.$/],
      [
        { status: 302, headers: { location: 'http://169.254.169.254/latest/' } },
        /169\.254\.169\.254 are not allowed\)\.$/,
      ],
    ];
    for (const [answer, message] of cases) {
      await using server = await startScriptedServer(() => answer);
      const url = `${server.url.replace('//', '//name:hidden@')}/list?key=hidden`;
      await assert.rejects(update({ url, password: null }), (error: Error) => {
        assert.equal(error.name, 'ListProblem');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      });
    }
    await assert.rejects(
      update({ url: 'http://127.0.0.1:1/' }),
      /: (?:the server refuses connections|it cannot be read)/,
    );
    await assert.rejects(update({ url: 'http://169.254.169.254/' }), /are not allowed/);
    await assert.rejects(update({}), /it has neither `path` nor `url`/);
  });

  it('send credentials to their server alone', async (context) => {
    const { update } = openListUpdates(context);
    await using other = await startScriptedServer(() => ({ body: 'a.example\n' }));
    await using server = await startScriptedServer(({ url }) =>
      url === '/away'
        ? { status: 302, headers: { location: `${other.url}/list` } }
        : { status: 307, headers: { location: '/away' } },
    );
    const url = `${server.url}/list`;
    assert.deepEqual((await update({ url, username: 'name', password: 'secret' })).values, ['a.example']);
    await update({ url, api_key: 'key' });
    await update({ url: url.replace('//', '//n%40me:p%3Aw@') });
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Basic bmFtZTpzZWNyZXQ=', 'key', 'Basic bkBtZTpwOnc='].flatMap((value) => [value, value]),
    );
    assert.deepEqual(
      other.requests.map(({ headers }) => headers.authorization),
      [undefined, undefined, undefined],
    );
  });

  it('may be redirected to an encrypted address, and never away from one', async (context) => {
    const { folder, update } = openListUpdates(context);
    const { key, certificate } = selfSignedCertificate(folder);
    setDefaultCACertificates([certificate]);
    await using plain = await startScriptedServer(({ url }) =>
      url === '/safe' ? { status: 308, headers: { location: `${safe.url}/list` } } : { body: 'a.example\n' },
    );
    await using safe = await startScriptedServer(
      ({ url }) => (url === '/plain' ? { status: 301, headers: { location: plain.url } } : { body: 'b.example\n' }),
      { key, cert: certificate },
    );
    assert.deepEqual((await update({ url: `${plain.url}/safe` })).values, ['b.example']);
    await assert.rejects(
      update({ url: `${safe.url}/plain` }),
      /it redirects to http:\/\/127\.0\.0\.1:\d+, which is not encrypted/,
    );
    assert.equal(plain.requests.length, 1);
  });

  it('are refused when their content ends early or stops', async (context) => {
    const { update } = openListUpdates(context);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (request: Buffer) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\na.example\n');
        if (request.includes('/short')) socket.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await assert.rejects(
      update({ url: `${url}/short` }),
      /the connection broke in the middle|shorter than the server announced/,
    );
    const connection = new ListConnection(listSettingsOf({ url }), { signal: NEVER_ABORTED, silence: 100 });
    const { bytes } = await connection.get(`${url}/slow`);
    await assert.rejects(Array.fromAsync(bytes), /the server is silent for more than 30 seconds/);
    await connection.close();
    server.close();
  });

  it('end when the server is silent, when all takes too long, and when the update ends', async () => {
    await using server = await startScriptedServer(() => 'hang');
    const list = listSettingsOf({ url: server.url });
    const get = async (options: { silence?: number; whole?: number }, ended = NEVER_ABORTED) => {
      const connection = new ListConnection(list, { signal: ended, ...options });
      await connection.get(server.url).finally(() => connection.close());
    };
    await assert.rejects(get({ silence: 100 }), /the server is silent for more than 30 seconds/);
    await assert.rejects(get({ whole: 100 }), /it takes more than 30 minutes/);
    await assert.rejects(get({}, AbortSignal.timeout(100)), /it takes more than|it cannot be read/);
  });
});
