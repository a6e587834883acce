import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startServer } from '../../../test/servers/start-server.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import { putLargeStream } from '../../testing/servers/put-large-stream.ts';
import { selfSignedCertificate } from '../../testing/servers/self-signed-certificate.ts';
import { until } from '../../testing/until.ts';
import { listAll, readAll, sha256Of, someBytes } from '../conformance/subject.ts';
import { TEST_KEYS, testBucket } from './conformance-subject.ts';
import { openS3FileStorage } from './s3-file-storage.ts';

const { url, unavailable: skip } = outsideServer('s3');
const UNAVAILABLE = { kind: 'unavailable', code: 'file_storage_unavailable' };

describe('files in a bucket', { skip }, () => {
  const bucket = testBucket(url);
  const address = `${url}/${bucket.name}`;
  before(async () => {
    // Makes the bucket.
    await (await openS3FileStorage({ ...TEST_KEYS, url: address })).close();
  });
  after(() => bucket.remove());

  it('lie under their SHA-256, below the folder of the address', async () => {
    const storage = await openS3FileStorage({ ...TEST_KEYS, url: `${address}/some/folder` });
    const { sha256 } = await storage.put(Buffer.from('x'));
    assert.deepEqual(await bucket.keys(), [`some/folder/${sha256}`]);
    await bucket.write('some/folder/readme.txt', Buffer.from('of somebody else'));
    assert.deepEqual(
      (await listAll(storage)).files.map((file) => file.sha256),
      [sha256],
    );
    await storage.delete(sha256);
    assert.deepEqual(await bucket.keys(), ['some/folder/readme.txt']);
    await storage.close();
  });

  it('takes the credentials of the address', async () => {
    const { host } = new URL(url);
    const storage = await openS3FileStorage({ url: `http://testkey:testsecret@${host}/${bucket.name}` });
    assert.deepEqual(await storage.health(), { ok: true, detail: '' });
    await storage.close();
  });

  it('says what is wrong with credentials', async () => {
    await assert.rejects(openS3FileStorage({ url: address, accessKey: 'nobody', secretKey: 'testsecret' }), {
      ...UNAVAILABLE,
      message: `The bucket ${bucket.name} at ${url} cannot be used: it does not know the access key. Check files.access_key.`,
    });
    await assert.rejects(openS3FileStorage({ url: address, accessKey: 'testkey', secretKey: 'wrong' }), {
      ...UNAVAILABLE,
      message: `The bucket ${bucket.name} at ${url} cannot be used: the secret key does not belong to the access key. Check files.secret_key.`,
    });
  });

  it('says that the bucket is missing when it may not make it', async () => {
    await assert.rejects(openS3FileStorage({ ...TEST_KEYS, url: `${url}/triad-no-such-bucket`, createBucket: false }), {
      ...UNAVAILABLE,
      message: /^The bucket triad-no-such-bucket at .* cannot be used: the bucket does not exist\./,
    });
  });

  it('makes a missing bucket once when several processes start together', async () => {
    const other = testBucket(url);
    const storages = await Promise.all(
      Array.from({ length: 4 }, () => openS3FileStorage({ ...TEST_KEYS, url: `${url}/${other.name}` })),
    );
    for (const storage of storages) await storage.close();
    assert.deepEqual(await other.keys(), []);
    await other.remove();
  });

  it('takes and gives 200 MB in less than 100 MB of memory, and leaves nothing behind on this machine', async () => {
    // A folder of its own: other tests hold uploads in the common one at the same time.
    const spoolFolder = await mkdtemp(join(tmpdir(), 'spool-'));
    const storage = await openS3FileStorage({ ...TEST_KEYS, url: address, spoolFolder });
    const { grown } = await putLargeStream(storage);
    assert.ok(grown < 100e6, `the process grew by ${Math.round(grown / 1e6)} MB`);
    assert.deepEqual(await readdir(spoolFolder), []);
    assert.equal(await bucket.uploads(), 0);
    await storage.close();
    await rm(spoolFolder, { recursive: true });
  });

  it('speaks TLS to a server whose authority it is given, and to no other', async () => {
    await using front = await tlsFront(url);
    const options = { ...TEST_KEYS, url: `${front.url}/${bucket.name}` };
    await assert.rejects(openS3FileStorage(options), {
      ...UNAVAILABLE,
      message: /its certificate is self-signed and not trusted\. Put it into cert_directory\./,
    });
    const storage = await openS3FileStorage({ ...options, certificates: [front.certificate] });
    const bytes = someBytes(12 << 20, 7);
    const { sha256 } = await storage.put(bytes);
    assert.ok(bytes.equals(await readAll(storage, sha256)));
    await storage.delete(sha256);
    await storage.close();
  });

  it('says where content could not be held on its way', async () => {
    const storage = await openS3FileStorage({ ...TEST_KEYS, url: address, spoolFolder: '/nowhere' });
    await assert.rejects(storage.put(Buffer.alloc(9 << 20)), {
      ...UNAVAILABLE,
      message: /could not be held in \/nowhere/,
    });
    assert.equal((await storage.put(Buffer.alloc(1 << 20))).size, 1 << 20, 'small content is held in memory');
    await storage.close();
  });
});

describe('files in a bucket whose server fails', { skip }, () => {
  it('fails clearly while the server is gone or frozen, shows no part of a file, and continues when it is back', async () => {
    await using server = await startServer('s3');
    const timeout = 3000;
    const bucket = testBucket(server.url);
    const storage = await openS3FileStorage({ ...TEST_KEYS, url: `${server.url}/${bucket.name}`, timeout });
    const bytes = someBytes(60 << 20, 1);
    const sha256 = sha256Of(bytes);
    const small = await storage.put(Buffer.from('before'));

    server.freeze();
    await within(
      2 * timeout,
      assert.rejects(storage.stat(sha256), { ...UNAVAILABLE, message: /did not answer within 3 s/ }),
    );
    await within(3 * timeout, assert.rejects(storage.put(bytes), UNAVAILABLE));
    assert.equal((await storage.health()).ok, false);
    server.resume();
    await until('the server answers again', async () => (await storage.health()).ok);

    // In the middle: the read has given its first bytes, and the server has parts of the upload.
    const { stream } = await storage.open((await storage.put(someBytes(60 << 20, 2))).sha256);
    const reader = stream[Symbol.asyncIterator]();
    assert.ok((await reader.next()).value.length > 0);
    const putting = assert.rejects(storage.put(bytes), UNAVAILABLE);
    await until('an upload has begun', async () => (await bucket.uploads()) > 0);
    await server.kill();
    const reading = assert.rejects(async () => {
      while ((await reader.next()).done !== true);
    }, UNAVAILABLE);
    await within(3 * timeout, Promise.all([reading, putting]));
    await within(
      2 * timeout,
      assert.rejects(storage.put(Buffer.from('x')), { ...UNAVAILABLE, message: /nothing listens there/ }),
    );

    await server.start();
    await until('the server answers again', async () => (await storage.health()).ok);
    assert.equal(await storage.stat(sha256), undefined);
    // The server answers before it has found its volumes again.
    await until(
      'what was stored can be read',
      async () => String(await readAll(storage, small.sha256).catch(() => '')) === 'before',
    );
    await until('files are taken', async () => (await storage.put(bytes).catch(() => undefined)) !== undefined);
    assert.ok(bytes.equals(await readAll(storage, sha256)));
    await storage.close();
    bucket.client.destroy();
  });

  it('says that nothing listens at the address', async () => {
    await within(
      3000,
      assert.rejects(openS3FileStorage({ ...TEST_KEYS, url: 'http://127.0.0.1:1/bucket' }), {
        ...UNAVAILABLE,
        message: 'The bucket bucket at http://127.0.0.1:1 cannot be used: nothing listens there.',
      }),
    );
  });

  it('tries again when the server is busy for a moment', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200, { 'content-type': 'application/xml' });
      response.end(
        asked < 3
          ? '<Error><Code>SlowDown</Code><Message>busy</Message></Error>'
          : '<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated></ListBucketResult>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const storage = await openS3FileStorage({ ...TEST_KEYS, url: `http://127.0.0.1:${port}/bucket` });
    assert.deepEqual(await storage.health(), { ok: true, detail: '' });
    assert.ok(asked >= 4);
    await storage.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

/** The server behind TLS, with a certificate of this moment. */
async function tlsFront(behind: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tls-front-'));
  const { key, certificate } = selfSignedCertificate(folder);
  const front = createTlsServer({ key, cert: certificate }, (asked, answer) => {
    const passed = request(new URL(asked.url ?? '/', behind), { method: asked.method, headers: asked.headers });
    passed.on('response', (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`,
    certificate,
    async [Symbol.asyncDispose]() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

/** Rejects when it takes longer than so many milliseconds. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work;
  const took = performance.now() - began;
  assert.ok(took <= milliseconds, `it took ${Math.round(took)} ms, more than ${milliseconds}`);
  return result;
}
