import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { loadConfig } from '../../config/config.ts';
import { type Script, startScriptedServer } from '../../testing/servers/scripted-server.ts';
import { TypeService, type TypeServiceDependencies } from './type-service.ts';

const EVERYBODY = { classification: 'UNRESTRICTED' };
const INSIDER = { classification: 'RESTRICTED' };

describe('TypeService', () => {
  it('tells sources and their types as far as the caller may know of them', async () => {
    await using opened = await open(
      ({ url }) =>
        url === '/open/types/'
          ? offer({ domain: 'U', ipv4: 'R', own_type: 'U', md5: 'WHAT', sha1: 7 })
          : offer({ ip: 'U' }),
      [{ name: 'open' }, { name: 'closed', classification: 'r' }],
    );
    assert.deepEqual(await opened.types.typesBySource(EVERYBODY), { open: ['domain'] });
    assert.deepEqual(await opened.types.typesBySource(INSIDER), { open: ['domain', 'ipv4'], closed: ['ip'] });
  });

  it('asks a source without a credential, once in five minutes, also for many at once', async () => {
    await using opened = await open(() => offer({ domain: 'U' }), [{ name: 'open' }]);
    await Promise.all([1, 2, 3].map(() => opened.types.typesBySource(EVERYBODY)));
    assert.equal(opened.server.requests.length, 1);
    assert.equal(opened.server.requests[0]?.headers.authorization, undefined);
    opened.clock.now += 5 * 60_000;
    await opened.types.typesBySource(EVERYBODY);
    assert.equal(opened.server.requests.length, 2);
  });

  const failures: Readonly<Record<string, Script>> = {
    'status 500': () => ({ status: 500, body: { api_response: null } }),
    'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
    'no envelope': () => ({ body: [] }),
    'no types': () => ({ body: { api_response: 'domain' } }),
    'a cut connection': () => 'reset',
    'half an answer': () => 'truncate',
  };
  for (const [what, script] of Object.entries(failures)) {
    it(`has no types of a source after ${what}, and asks again after ten seconds`, async () => {
      let failing = true;
      await using opened = await open(
        (request) => (failing ? script(request) : offer({ domain: 'U' })),
        [{ name: 'a' }],
      );
      assert.deepEqual(await opened.types.typesBySource(EVERYBODY), { a: [] });
      assert.equal(opened.warnings.length, 1);
      failing = false;
      assert.deepEqual(await opened.types.typesBySource(EVERYBODY), { a: [] });
      opened.clock.now += 10_000;
      assert.deepEqual(await opened.types.typesBySource(EVERYBODY), { a: ['domain'] });
    });
  }
});

describe('the sources of the settings', () => {
  it('stops the start for a classification that is none, and for a name given twice', () => {
    assert.throws(() => typesOf([{ name: 'a', url: 'http://a', classification: 'WHAT' }]), {
      code: 'invalid_setting',
      message: 'enrichment.external_sources[0].classification: WHAT is not a classification.',
    });
    const twice = [1, 2].map(() => ({ name: 'a', url: 'http://a' }));
    assert.throws(() => typesOf(twice), { code: 'invalid_setting', at: 'enrichment.external_sources[1].name' });
  });
});

const engine = loadClassification(DEMO_CLASSIFICATION);

function typesOf(sources: readonly object[], options: Partial<TypeServiceDependencies> = {}): TypeService {
  const flags = { 'enrichment.external_sources': sources };
  const { enrichment } = loadConfig({ environment: { SVC_CONF_FOLDER: import.meta.dirname }, flags });
  return new TypeService({ settings: enrichment.external_sources, engine, log: { warn: () => {} }, ...options });
}

async function open(script: Script, sources: readonly { readonly name: string; readonly classification?: string }[]) {
  const server = await startScriptedServer(script);
  const clock = { now: 0 };
  const warnings: string[] = [];
  const given = sources.map((source) => ({ ...source, url: `${server.url}/${source.name}/` }));
  const log = { warn: (_entry: object, message: string) => void warnings.push(message) };
  const types = typesOf(given, { log, now: () => clock.now });
  return { server, clock, warnings, types, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function offer(types: Readonly<Record<string, unknown>>) {
  return { body: { api_response: types, api_error_message: '', api_status_code: 200 } };
}
