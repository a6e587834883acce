import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { mispEvent, openListUpdates, uuidOf } from '../../../testing/enrichment/list-content.ts';
import { startScriptedServer } from '../../../testing/servers/scripted-server.ts';

describe('feeds of MISP', () => {
  it('fetch the events whose timestamp changed, and forget those that are gone', async (context) => {
    const { folder, update } = openListUpdates(context);
    const feed = new Map([
      [uuidOf(1), '10'],
      [uuidOf(2), '20'],
    ]);
    await using server = await startScriptedServer(({ url }) => {
      const manifest = Object.fromEntries([...feed].map(([id, timestamp]) => [id, { timestamp, info: 'x' }]));
      if (url === '/feed/manifest.json') return { body: manifest };
      const id = url.slice('/feed/'.length, -'.json'.length);
      return feed.has(id) ? { body: mispEvent(`host${feed.get(id)}.example`) } : { status: 404 };
    });
    const settings = { url: `${server.url}/feed/`, format: 'misp_feed' } as const;
    const first = await update(settings);
    assert.deepEqual(first.values, ['host10.example', 'host20.example']);
    assert.equal((await update(settings, first.version)).values, undefined);
    feed.set(uuidOf(2), '21').set(uuidOf(3), '30').delete(uuidOf(1));
    assert.deepEqual((await update(settings, first.version)).values, ['host21.example', 'host30.example']);
    assert.equal(server.requests.length, 3 + 4);
    assert.equal((await readdir(folder)).length, 2);
  });

  it('are refused with an entry that is not an event, and keep no event that is broken', async (context) => {
    const { update } = openListUpdates(context);
    for (const [manifest, message] of [
      [{ '../../x': { timestamp: '1' } }, /its entry "\.\.\/\.\.\/x" is not a UUID with a timestamp/],
      [{ [uuidOf(1)]: { timestamp: '../x' } }, /is not a UUID with a timestamp/],
      [JSON.parse('{"__proto__":{"timestamp":"1"}}'), /its entry "__proto__"/],
      [['x'], /it is not a manifest/],
      ['<html>', /it is not JSON/],
    ] as const) {
      await using server = await startScriptedServer(() => ({ body: manifest }));
      await assert.rejects(update({ url: server.url, format: 'misp_feed' }), message);
    }
    let body: unknown = '<html>';
    await using server = await startScriptedServer(({ url }) => ({
      body: url.endsWith('manifest.json') ? { [uuidOf(1)]: { timestamp: 1 } } : body,
    }));
    const settings = { url: `${server.url}/manifest.json`, format: 'misp_feed' } as const;
    await assert.rejects(update(settings), /byte 1: it is not JSON/);
    body = { message: 'maintenance' };
    await assert.rejects(update(settings), /it is not a MISP event/);
    body = mispEvent('a.example');
    assert.deepEqual((await update(settings)).values, ['a.example']);
  });
});
