import assert from 'node:assert/strict';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openListUpdates, uuidOf } from '../../../testing/enrichment/list-content.ts';
import { NEVER_ABORTED } from '../../../testing/enrichment/never-aborted.ts';
import { listSettingsOf } from '../../../testing/enrichment/read-list-text.ts';
import { type Script, startScriptedServer } from '../../../testing/servers/scripted-server.ts';
import { ListConnection } from './list-connection.ts';
import { TaxiiPoll } from './taxii-poll.ts';

describe('collections of TAXII', () => {
  it('are read page by page, then by what was added, and keep the rest', async (context) => {
    const { update } = openListUpdates(context);
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

  it('are read again from the beginning when what they sent before is damaged', async (context) => {
    const { folder, update } = openListUpdates(context);
    await using server = await startScriptedServer(() => ({ body: { objects: [indicator(1)] } }));
    const settings = { url: `${server.url}/collections/1/objects`, format: 'taxii' } as const;
    const { version } = await update(settings);
    const [name = ''] = await readdir(folder);
    await truncate(join(folder, name), 10);
    assert.deepEqual((await update(settings, version)).values, ['host1.example']);
    assert.equal((await readdir(folder)).length, 1);
  });

  it('are found by their title below an API root', async (context) => {
    const { update } = openListUpdates(context);
    await using server = await startScriptedServer(({ url }) =>
      url === '/root/collections/'
        ? {
            body: {
              collections: [
                { id: uuidOf(1), title: 'Other' },
                { id: uuidOf(2), title: 'High Confidence' },
              ],
            },
          }
        : { body: { objects: [indicator(1)] } },
    );
    const settings = { url: `${server.url}/root`, format: 'taxii' } as const;
    for (const collection of ['high confidence', uuidOf(2)]) {
      assert.deepEqual((await update({ ...settings, collection })).values, ['host1.example']);
      assert.match(server.requests.at(-1)?.url ?? '', new RegExp(`^/root/collections/${uuidOf(2)}/objects/`));
    }
    await assert.rejects(
      update({ ...settings, collection: 'low' }),
      /it has no collection "low" \(Other, High Confidence\)/,
    );
    await assert.rejects(update(settings), /it needs `collection`, the id or the title of one/);
  });

  it('are refused when pages have no end, break, or need credentials', async (context) => {
    const { update } = openListUpdates(context);
    const cases: readonly (readonly [Script, RegExp])[] = [
      [
        () => ({ body: { more: true, next: 'same', objects: [] } }),
        /it announces more objects without the place where they begin/,
      ],
      [() => ({ body: { more: true, objects: [] } }), /it announces more objects without the place where they begin/],
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
    const connection = new ListConnection(listSettingsOf({ url: server.url }), { signal: NEVER_ABORTED });
    const poll = new TaxiiPoll(connection, new URL(`${server.url}/collections/1/`), {
      signal: NEVER_ABORTED,
      progress: () => undefined,
      maxPages: 5,
    });
    await assert.rejects(Array.fromAsync(poll.objects(undefined)), /it has more than 5 pages/);
    assert.equal(server.requests.length, 5);
    await connection.close();
  });

  it('follow the time of the last object where a server does not name the next page', async (context) => {
    const { update } = openListUpdates(context);
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

const identity = { type: 'identity', id: 'identity--1', name: 'CERT' };

function indicator(number: number, domain = `host${number}.example`, fields = {}) {
  const pattern = `[domain-name:value = '${domain}']`;
  return { type: 'indicator', id: `indicator--${number}`, pattern, created_by_ref: 'identity--1', ...fields };
}
