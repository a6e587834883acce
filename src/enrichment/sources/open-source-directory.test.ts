import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../config/config.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { SupportedTypes } from '../supported-types/supported-types.ts';
import { ENGINE } from './conformance/source-fixture.ts';
import { HttpSourceClient } from './http/http-source-client.ts';
import { openSourceDirectory } from './open-source-directory.ts';

const ANY_CALLER = { classification: ENGINE.unrestricted };

describe('the sources of the settings', () => {
  it('stop the start for a classification that is none, and for a name given twice', () => {
    assert.throws(() => directoryOf([{ name: 'a', url: 'http://a', classification: 'WHAT' }]), {
      code: 'invalid_setting',
      message: 'enrichment.external_sources[0].classification: WHAT is not a classification.',
    });
    const twice = [1, 2].map(() => ({ name: 'a', url: 'http://a' }));
    assert.throws(() => directoryOf(twice), { code: 'invalid_setting', at: 'enrichment.external_sources[1].name' });
  });

  it('are asked for their types once in five minutes, also for many callers at once', async (context) => {
    const opened = await open(context, () => offer({ domain: 'U' }));
    const [source] = opened.directory.all();
    await Promise.all([1, 2, 3].map(() => source?.types(ANY_CALLER)));
    assert.equal(opened.server.requests.length, 1);
    assert.equal(opened.server.requests[0]?.headers.authorization, undefined);
    opened.clock.now += 5 * 60_000;
    await source?.types(ANY_CALLER);
    assert.equal(opened.server.requests.length, 2);
  });

  const failures: Readonly<Record<string, Script>> = {
    'status 404': () => ({ status: 404, body: { api_response: null } }),
    'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'no envelope': () => ({ body: [] }),
    'no types': () => ({ body: { api_response: 'domain' } }),
    'status 500': () => ({ status: 500, body: { api_response: null } }),
    'a cut connection': () => 'reset',
    'half an answer': () => 'truncate',
  };
  for (const [what, script] of Object.entries(failures)) {
    it(`have no types after ${what}, and are asked again after ten seconds`, async (context) => {
      let failing = true;
      const opened = await open(context, (request) => (failing ? script(request) : offer({ domain: 'U' })));
      const [source] = opened.directory.all();
      assert.equal(await source?.types(ANY_CALLER), undefined);
      assert.equal(opened.warnings.length, 1);
      failing = false;
      assert.equal(await source?.types(ANY_CALLER), undefined);
      opened.clock.now += 10_000;
      assert.deepEqual(await source?.types(ANY_CALLER), { domain: 'U' });
    });
  }
});

describe('SourceDirectory', () => {
  it('refuses a second source of a name, and notifies its listeners of changes', async () => {
    const directory = directoryOf([
      { name: 'open', url: 'http://a' },
      { name: 'closed', url: 'http://b', classification: 'R' },
    ]);
    assert.deepEqual(
      directory.visibleTo(ANY_CALLER).map(({ settings }) => settings.name),
      ['open'],
    );
    const settings = directory.find('open')?.settings;
    assert.ok(settings);
    const client = new HttpSourceClient({ url: settings.url });
    assert.throws(() => directory.add(settings, client), { kind: 'conflict', code: 'source_exists' });
    let changes = 0;
    const forget = directory.onChange(() => {
      changes += 1;
    });
    assert.equal(directory.remove('open'), true);
    assert.equal(directory.remove('open'), false);
    assert.equal(changes, 1);
    forget();
    directory.add(settings, client);
    assert.equal(changes, 1);
    assert.deepEqual(
      directory.all().map((source) => source.settings.name),
      ['closed', 'open'],
    );
    await directory.close();
  });
});

interface Options {
  readonly now?: () => number;
  readonly warnings?: string[];
}

function directoryOf(sources: readonly object[], { now, warnings = [] }: Options = {}) {
  const flags = { 'enrichment.external_sources': sources };
  const { enrichment } = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname }, flags });
  const dependencies = {
    engine: ENGINE,
    supportedTypes: new SupportedTypes(),
    credentials: { tokenFor: async () => ({}) },
    log: { warn: (_entry: object, message: string) => void warnings.push(message) },
    ...(now === undefined ? {} : { now }),
  };
  return openSourceDirectory(enrichment.external_sources, dependencies, new Set(['facts']));
}

async function open(context: { after(end: () => Promise<void>): void }, script: Script) {
  const server = await startScriptedServer(script);
  const clock = { now: 0 };
  const warnings: string[] = [];
  const directory = directoryOf([{ name: 'a', url: `${server.url}/a/` }], { now: () => clock.now, warnings });
  context.after(async () => {
    await directory.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, clock, warnings, directory };
}

function offer(types: Readonly<Record<string, unknown>>) {
  return { body: { api_response: types, api_error_message: '', api_status_code: 200 } };
}
