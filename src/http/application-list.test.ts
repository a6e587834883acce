import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Script, startScriptedServer } from '../testing/servers/scripted-server.ts';
import { ApplicationList } from './application-list.ts';

describe('ApplicationList', () => {
  it('is empty without an address, and asks no one', async () => {
    assert.deepEqual(await new ApplicationList({ ...ABOUT, address: null, log: { warn: () => {} } }).all(), []);
  });

  it('has the first complete instance of each application, by name, without the service itself', async () => {
    await using opened = await open(() => ({
      body: {
        applications: {
          application: [
            { name: 'wiki', instance: [{ hostName: 'half.example' }, instance('wiki.example')] },
            { name: 'alerts', instance: instance('alerts.example') },
            { name: 'self', instance: [instance('clue.example')] },
            { name: 7, instance: [instance('number.example')] },
            null,
          ],
        },
      },
    }));
    const found = await opened.list.all();
    assert.deepEqual(found, [
      { name: 'alerts', route: 'alerts.example', ...SHOWN },
      { name: 'wiki', route: 'wiki.example', ...SHOWN },
    ]);
    await opened.list.all();
    assert.equal(opened.server.requests.length, 1, 'it is asked once');
  });

  const failures: Readonly<Record<string, Script>> = {
    'status 500': () => ({ status: 500 }),
    'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'no JSON': () => ({ body: '<html>' }),
    'a cut connection': () => 'reset',
    'too much': () => ({ body: `"${'x'.repeat(5_000_001)}"` }),
  };
  for (const [what, script] of Object.entries(failures)) {
    it(`is empty after ${what}, says so in the log, and is asked again a minute later`, async () => {
      let failing = true;
      const good = { body: { applications: { application: { name: 'a', instance: instance('a.example') } } } };
      await using opened = await open((request) => (failing ? script(request) : good));
      assert.deepEqual(await opened.list.all(), []);
      assert.equal(opened.warnings.length, 1);
      failing = false;
      assert.deepEqual(await opened.list.all(), [], 'not at once');
      opened.clock.now += 60_000;
      assert.equal((await opened.list.all()).length, 1);
    });
  }
});

const ABOUT = { setting: 'enrichment.discover_url', own: 'clue' };
const SHOWN = { alt: 'Words', img_d: 'dark', img_l: 'light', classification: 'TLP:C' };

function instance(hostName: string) {
  const metadata = { alternateText: 'Words', imageDark: 'dark', imageLight: 'light', classification: 'TLP:C' };
  return { hostName, metadata };
}

async function open(script: Script) {
  const server = await startScriptedServer(script);
  const clock = { now: 0 };
  const warnings: string[] = [];
  const list = new ApplicationList({
    ...ABOUT,
    address: `${server.url}/discover`,
    log: { warn: (_entry, message) => void warnings.push(message) },
    now: () => clock.now,
  });
  return { server, clock, warnings, list, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
