import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../src/identity/audit/audit-log.ts';
import { aFetcher, anAction } from '../src/testing/enrichment/offering-sources.ts';
import { type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../src/testing/start-test-program.ts';

const OFFERS = { classification: 'UNRESTRICTED' };
const PLUGIN: Readonly<Record<string, unknown>> = {
  '/types/': { domain: 'UNRESTRICTED' },
  '/actions/': { note: anAction('note', OFFERS) },
  '/actions/note': { outcome: 'success', format: 'markdown', output: 'written' },
  '/fetchers/': { page: aFetcher('page', OFFERS) },
};
const ADMIN = { basic: 'admin:devkey:admin' };
const USER = { basic: 'user:devkey:user' };
const ROBOT = {
  basic: 'robot:robot-secret',
  headers: { 'x-userid': 'grace', 'x-classification': 'UNRESTRICTED' },
};

/** Security events of registrations. */
const events: AuditEvent[] = [];
let plugin: ScriptedServer;
let program: TestProgram;
before(async () => {
  plugin = await startScriptedServer(({ url }) => ({ body: { api_response: PLUGIN[url] ?? null } }));
  program = await start({});
});
after(async () => {
  await program.close();
  await plugin[Symbol.asyncDispose]();
});

describe('a source that registers itself', () => {
  for (const [who, caller] of Object.entries({ 'an administrator': ADMIN, 'a program with a configured key': ROBOT })) {
    it(`is there at once and until it is removed, for ${who}`, async () => {
      const registered = await register(caller, { name: 'late', url: plugin.url });
      assert.deepEqual([registered.status, registered.json.api_response], [200, 'late']);
      const types = await get('/api/v1/lookup/types/', caller);
      assert.deepEqual(types.json.api_response, { configured: ['domain'], late: ['domain'] });
      assert.ok('late.note' in (await get('/api/v1/actions/', caller)).json.api_response);
      assert.ok('late.page' in (await get('/api/v1/fetchers/', caller)).json.api_response);
      const run = () => send('POST', '/api/v1/actions/execute/late/note', caller, {});
      assert.equal((await run()).json.api_response.output, 'written');
      assert.equal((await send('DELETE', '/api/v1/registration/late', caller)).status, 204);
      assert.equal((await run()).status, 404);
      assert.deepEqual((await get('/api/v1/lookup/types/', caller)).json.api_response, { configured: ['domain'] });
      assert.deepEqual(
        events.splice(0).map(({ event, source, service }) => [event, source, service]),
        [
          ['source_registered', 'late', 'enrichment'],
          ['source_removed', 'late', 'enrichment'],
        ],
      );
    });
  }

  it('takes a name that is free', async () => {
    assert.equal((await register(ROBOT, { name: 'first', url: plugin.url })).status, 200);
    for (const name of ['first', 'configured', 'facts', 'alerts']) {
      const { status, json } = await register(ROBOT, { name, url: plugin.url });
      assert.equal(status, 409);
      assert.match(json.api_error_message, new RegExp(`"${name}"`));
    }
    for (const name of ['configured', 'unknown']) {
      assert.equal((await send('DELETE', `/api/v1/registration/${name}`, ROBOT)).status, 204);
    }
    assert.ok('configured' in (await get('/api/v1/lookup/types/', ROBOT)).json.api_response);
  });

  it('is not at a link-local address', async () => {
    for (const url of ['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://0xa9fea9fe/', 'file:///etc']) {
      const { status, json } = await register(ROBOT, { name: 'near', url });
      assert.equal(status, 400, url);
      assert.match(json.api_error_message, /^"[^"]+" is /);
    }
  });

  it('is at no private address where the settings say so', async () => {
    const strict = await start({ 'enrichment.registration.private_addresses': false });
    try {
      const { status, json } = await register(ROBOT, { name: 'near', url: plugin.url }, strict);
      assert.equal(status, 400);
      assert.match(json.api_error_message, /not a public address/);
    } finally {
      await strict.close();
    }
  });

  it('is not registered or removed by other users, and by no credential that only reads', async () => {
    const created = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      basic: 'admin:admin',
      json: { name: 'reading', priv: ['R'] },
    });
    const { apikey } = created.json.api_response;
    for (const caller of [USER, { basic: `admin:${apikey}` }]) {
      const { status, json } = await register(caller, { name: 'other', url: plugin.url });
      assert.equal(status, 403);
      assert.match(json.api_error_message, /^Only administrators/);
      assert.equal((await register(caller, 'not even read')).status, 403);
      assert.equal((await send('DELETE', '/api/v1/registration/configured', caller)).status, 403);
    }
  });
});

function start(settings: Readonly<Record<string, unknown>>): Promise<TestProgram> {
  return startTestProgram({
    onAudit: (event) => {
      if (event.event.startsWith('source_re')) events.push(event);
    },
    settings: {
      'enrichment.api_keys': { robot: 'robot-secret' },
      'enrichment.own_sources': '',
      'enrichment.external_sources': [{ name: 'configured', url: plugin.url }],
      ...settings,
    },
  });
}

function register(caller: TestRequest, json: unknown, at = program) {
  return at.request('/api/v1/registration/register/', { service: 'enrichment', method: 'POST', ...caller, json });
}

function get(path: string, caller: TestRequest) {
  return program.request(path, { service: 'enrichment', ...caller });
}

function send(method: string, path: string, caller: TestRequest, json?: unknown) {
  return program.request(path, { service: 'enrichment', method, ...caller, ...(json === undefined ? {} : { json }) });
}
