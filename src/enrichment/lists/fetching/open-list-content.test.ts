import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { listSettingsOf, readListDocuments } from '../../../testing/enrichment/read-list-text.ts';
import { type Script, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { selfSignedCertificate } from '../../../testing/servers/self-signed-certificate.ts';
import type { ListDocument, ListSettings, ListVersion } from '../list-entry.ts';
import { ListConnection } from './list-connection.ts';
import { openListContent } from './open-list-content.ts';
import { TaxiiPoll } from './taxii-poll.ts';

const signal = new AbortController().signal;
let root = '';
let folder = '';

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'list-'));
});

beforeEach(async () => {
  folder = await mkdtemp(join(root, 'content-'));
});

after(() => rm(root, { recursive: true }));

describe('lists at a path', () => {
  it('are read when they changed', async () => {
    const path = join(folder, 'list.txt.gz');
    await writeFile(path, gzipSync('a.example\nb.example\n'));
    const first = await update({ path });
    assert.deepEqual(first.values, ['a.example', 'b.example']);
    assert.deepEqual(
      first.progress.at(-1),
      first.progress.at(-1)?.map(() => first.progress.at(-1)?.[1]),
    );
    assert.deepEqual((await update({ path }, first.version)).values, undefined);
    await writeFile(path, gzipSync('c.example\n'));
    assert.deepEqual((await update({ path }, first.version)).values, ['c.example']);
  });

  it('are refused when they are missing, no file, or change meanwhile', async () => {
    const path = join(folder, 'list.txt');
    await assert.rejects(update({ path }), { name: 'ListProblem', message: `${path}: it cannot be read (ENOENT).` });
    await assert.rejects(update({ path: folder }), { message: `${folder}: it is not a file.` });
    await writeFile(path, 'a.example\n'.repeat(100_000));
    const content = await openListContent(listSettingsOf({ path }), undefined, {
      signal,
      folder,
      progress: () => undefined,
    });
    assert.ok(content.changed);
    const read = async () => {
      for await (const { bytes } of content.documents)
        for await (const _ of bytes) await appendFile(path, 'b.example\n');
    };
    await assert.rejects(read(), { message: `${path}: it changed while it was read.` });
  });

  it('may be the folder of a feed of MISP', async () => {
    const path = join(folder, 'feed');
    await mkdir(path);
    await assert.rejects(update({ path, format: 'misp_feed' }), /it has no events/);
    await writeFile(join(path, 'manifest.json'), '{}');
    await writeFile(join(path, `${uuid(1)}.json`), event('a.example'));
    await writeFile(join(path, `${uuid(2)}.json`), event('b.example'));
    const { values, version } = await update({ path, format: 'misp_feed' });
    assert.deepEqual(values, ['a.example', 'b.example']);
    await rm(join(path, `${uuid(2)}.json`));
    assert.deepEqual((await update({ path, format: 'misp_feed' }, version)).values, ['a.example']);
  });
});

describe('lists at an address', () => {
  it('are fetched when they changed', async () => {
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

  it('may be packed, for the transfer, by themselves, or both', async () => {
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

  it('are refused in one sentence that names neither credentials nor query', async () => {
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

  it('send credentials to their server alone', async () => {
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

  it('may be redirected to an encrypted address, and never away from one', async () => {
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

  it('are refused when their content ends early or stops', async () => {
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
    const connection = new ListConnection(listSettingsOf({ url }), { signal, silence: 100 });
    const { bytes } = await connection.get(`${url}/slow`);
    await assert.rejects(Array.fromAsync(bytes), /the server is silent for more than 30 seconds/);
    await connection.close();
    server.close();
  });

  it('end when the server is silent, when all takes too long, and when the update ends', async () => {
    await using server = await startScriptedServer(() => 'hang');
    const list = listSettingsOf({ url: server.url });
    const get = async (options: { silence?: number; whole?: number }, ended = signal) => {
      const connection = new ListConnection(list, { signal: ended, ...options });
      await connection.get(server.url).finally(() => connection.close());
    };
    await assert.rejects(get({ silence: 100 }), /the server is silent for more than 30 seconds/);
    await assert.rejects(get({ whole: 100 }), /it takes more than 30 minutes/);
    await assert.rejects(get({}, AbortSignal.timeout(100)), /it takes more than|it cannot be read/);
  });
});

describe('collections of TAXII', () => {
  it('are read page by page, then by what was added, and keep the rest', async () => {
    const pages: Record<string, object> = {
      '': { more: true, next: 'two', objects: [indicator(1), { type: 'malware', id: 'malware--1' }, identity] },
      two: { objects: [indicator(2), indicator(3)] },
      later: { objects: [indicator(2, 'changed.example'), indicator(3, 'x.example', { revoked: true }), indicator(4)] },
      none: {},
    };
    let later = 'later';
    await using server = await startScriptedServer(({ url }) => {
      const query = new URL(url, 'http://server').searchParams;
      const page = query.get('next') ?? (query.has('added_after') ? later : '');
      return { body: pages[page], headers: { 'x-taxii-date-added-last': `2024-01-01T00:00:0${page.length}Z` } };
    });
    const settings = { url: `${server.url}/api/collections/1/`, format: 'taxii', api_key: 'key' } as const;
    const first = await update(settings);
    assert.deepEqual(first.values?.toSorted(), ['host1.example', 'host2.example', 'host3.example']);
    const second = await update(settings, first.version);
    assert.deepEqual(second.values?.toSorted(), ['changed.example', 'host1.example', 'host4.example']);
    assert.deepEqual(second.authors, ['CERT', 'CERT', 'CERT']);
    later = 'none';
    assert.equal((await update(settings, second.version)).values, undefined);
    assert.equal(
      (await update(settings, first.version)).values?.length,
      3,
      'what an update left that was not compiled is not used',
    );
    assert.deepEqual(
      server.requests.map(({ url, headers }) => [url, headers.accept, headers.authorization]).slice(0, 4),
      [
        '/api/collections/1/objects/?limit=1000',
        '/api/collections/1/objects/?limit=1000&next=two',
        '/api/collections/1/objects/?limit=1000&added_after=2024-01-01T00%3A00%3A03Z',
        '/api/collections/1/objects/?limit=1000&added_after=2024-01-01T00%3A00%3A05Z',
      ].map((url) => [url, 'application/taxii+json;version=2.1', 'Bearer key']),
    );
  });

  it('are read again from the beginning when what they sent before is damaged', async () => {
    await using server = await startScriptedServer(() => ({ body: { objects: [indicator(1)] } }));
    const settings = { url: `${server.url}/collections/1/objects`, format: 'taxii' } as const;
    const { version } = await update(settings);
    const [name = ''] = await readdir(folder);
    await truncate(join(folder, name), 10);
    assert.deepEqual((await update(settings, version)).values, ['host1.example']);
    assert.equal((await readdir(folder)).length, 1);
  });

  it('are found by their title below an API root', async () => {
    await using server = await startScriptedServer(({ url }) =>
      url === '/root/collections/'
        ? {
            body: {
              collections: [
                { id: uuid(1), title: 'Other' },
                { id: uuid(2), title: 'High Confidence' },
              ],
            },
          }
        : { body: { objects: [indicator(1)] } },
    );
    const settings = { url: `${server.url}/root`, format: 'taxii' } as const;
    for (const collection of ['high confidence', uuid(2)]) {
      assert.deepEqual((await update({ ...settings, collection })).values, ['host1.example']);
      assert.match(server.requests.at(-1)?.url ?? '', new RegExp(`^/root/collections/${uuid(2)}/objects/`));
    }
    await assert.rejects(
      update({ ...settings, collection: 'low' }),
      /it has no collection "low" \(Other, High Confidence\)/,
    );
    await assert.rejects(update(settings), /it needs `collection`, the id or the title of one/);
  });

  it('are refused when pages have no end, break, or need credentials', async () => {
    const cases: readonly (readonly [Script, RegExp])[] = [
      [
        () => ({ body: { more: true, next: 'same', objects: [] } }),
        /it says that there are more objects, and not where they are/,
      ],
      [() => ({ body: { more: true, objects: [] } }), /it says that there are more objects, and not where they are/],
      [
        ({ url }) => ({ body: url.includes('next') ? '{"objects":[' : { more: true, next: 'n', objects: [] } }),
        /it ends in the middle/,
      ],
      [() => ({ status: 401 }), /the server answers 401\. Check/],
      [() => ({ body: '<html>' }), /byte 1: it is not JSON/],
    ];
    for (const [script, message] of cases) {
      await using server = await startScriptedServer(script);
      await assert.rejects(update({ url: `${server.url}/collections/1`, format: 'taxii' }), message);
    }
  });

  it('are refused when each page names another one', async () => {
    let page = 0;
    await using server = await startScriptedServer(() => {
      page += 1;
      return { body: { more: true, next: String(page), objects: [] } };
    });
    const connection = new ListConnection(listSettingsOf({ url: server.url }), { signal });
    const poll = new TaxiiPoll(connection, new URL(`${server.url}/collections/1/`), {
      signal,
      progress: () => undefined,
      maxPages: 5,
    });
    await assert.rejects(Array.fromAsync(poll.objects(undefined)), /it has more than 5 pages/);
    assert.equal(server.requests.length, 5);
    await connection.close();
  });

  it('follow the time of the last object where a server does not name the next page', async () => {
    let time = 0;
    await using server = await startScriptedServer(() => {
      time += 1;
      return {
        body: { more: time < 3, objects: [indicator(time)] },
        headers: { 'x-taxii-date-added-last': `2024-01-0${time}` },
      };
    });
    const { values } = await update({ url: `${server.url}/collections/1/`, format: 'taxii' });
    assert.deepEqual(values?.toSorted(), ['host1.example', 'host2.example', 'host3.example']);
    assert.match(server.requests.at(-1)?.url ?? '', /added_after=2024-01-02$/);
  });
});

describe('feeds of MISP', () => {
  it('fetch the events whose timestamp changed, and forget those that are gone', async () => {
    const feed = new Map([
      [uuid(1), '10'],
      [uuid(2), '20'],
    ]);
    await using server = await startScriptedServer(({ url }) => {
      const manifest = Object.fromEntries([...feed].map(([id, timestamp]) => [id, { timestamp, info: 'x' }]));
      if (url === '/feed/manifest.json') return { body: manifest };
      const id = url.slice('/feed/'.length, -'.json'.length);
      return feed.has(id) ? { body: event(`host${feed.get(id)}.example`) } : { status: 404 };
    });
    const settings = { url: `${server.url}/feed/`, format: 'misp_feed' } as const;
    const first = await update(settings);
    assert.deepEqual(first.values, ['host10.example', 'host20.example']);
    assert.equal((await update(settings, first.version)).values, undefined);
    feed.set(uuid(2), '21').set(uuid(3), '30').delete(uuid(1));
    assert.deepEqual((await update(settings, first.version)).values, ['host21.example', 'host30.example']);
    assert.equal(server.requests.length, 3 + 4);
    assert.equal((await readdir(folder)).length, 2);
  });

  it('are refused with an entry that is not an event, and keep no event that is broken', async () => {
    for (const [manifest, message] of [
      [{ '../../x': { timestamp: '1' } }, /its entry "\.\.\/\.\.\/x" is not a UUID with a timestamp/],
      [{ [uuid(1)]: { timestamp: '../x' } }, /is not a UUID with a timestamp/],
      [JSON.parse('{"__proto__":{"timestamp":"1"}}'), /its entry "__proto__"/],
      [['x'], /it is not a manifest/],
      ['<html>', /it is not JSON/],
    ] as const) {
      await using server = await startScriptedServer(() => ({ body: manifest }));
      await assert.rejects(update({ url: server.url, format: 'misp_feed' }), message);
    }
    let body: unknown = '<html>';
    await using server = await startScriptedServer(({ url }) => ({
      body: url.endsWith('manifest.json') ? { [uuid(1)]: { timestamp: 1 } } : body,
    }));
    const settings = { url: `${server.url}/manifest.json`, format: 'misp_feed' } as const;
    await assert.rejects(update(settings), /byte 1: it is not JSON/);
    body = { message: 'maintenance' };
    await assert.rejects(update(settings), /it is not a MISP event/);
    body = event('a.example');
    assert.deepEqual((await update(settings)).values, ['a.example']);
  });
});

const DATE = 'Mon, 01 Jan 2024 00:00:00 GMT';
const identity = { type: 'identity', id: 'identity--1', name: 'CERT' };

function uuid(number: number): string {
  return `00000000-0000-4000-8000-00000000000${number}`;
}

function indicator(number: number, domain = `host${number}.example`, fields = {}) {
  const pattern = `[domain-name:value = '${domain}']`;
  return { type: 'indicator', id: `indicator--${number}`, pattern, created_by_ref: 'identity--1', ...fields };
}

function event(domain: string): string {
  return JSON.stringify({ Event: { info: 'x', Attribute: [{ type: 'domain', value: domain, to_ids: true }] } });
}

/** Updates a list as the program does, and returns what it holds; no values when it did not change. */
async function update(settings: Partial<ListSettings>, previous?: ListVersion) {
  const progress: (readonly (number | undefined)[])[] = [];
  const content = await openListContent(listSettingsOf(settings), previous, {
    signal,
    folder,
    progress: (...given) => progress.push(given),
  });
  if (!content.changed) return { values: undefined, authors: [], version: previous, progress };
  try {
    const documents: ListDocument[] = [];
    for await (const document of content.documents) documents.push(document);
    const { entries } = await readListDocuments(settings, documents);
    const authors = entries.map(({ details }) => details?.author);
    return { values: entries.map(({ value }) => value), authors, version: content.version(), progress };
  } finally {
    await content.close();
  }
}
