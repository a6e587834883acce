import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../src/identity/audit/audit-log.ts';
import { aFetcher, anAction } from '../src/testing/enrichment/offering-sources.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import { freePort } from '../src/testing/servers/free-port.ts';
import { type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../src/testing/start-test-program.ts';

const OFFERS = { classification: 'UNRESTRICTED' };
const PLUGIN: Readonly<Record<string, unknown>> = {
  '/types/': { domain: 'UNRESTRICTED' },
  '/actions/': { note: anAction('note', OFFERS) },
  '/actions/note': { outcome: 'success', format: 'markdown', output: 'written' },
  '/fetchers/': { page: aFetcher('page', OFFERS) },
  '/fetchers/page': { outcome: 'success', format: 'markdown', data: 'read' },
  '/lookup/': { domain: { 'example.org': { items: [{ classification: 'UNRESTRICTED' }] } } },
};
const SELECTOR = { selector: { type: 'domain', value: 'example.org' } };

let plugin: ScriptedServer;
let provider: TestIdentityProvider;
let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  plugin = await startScriptedServer(({ url }) => ({
    body: { api_response: PLUGIN[url.split('?')[0] ?? ''] ?? null },
  }));
  provider = await startIdentityProvider();
  const port = await freePort();
  program = await startTestProgram({
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings() },
      'core.clue.enabled': true,
      'core.clue.url': `http://127.0.0.1:${port}`,
      'enrichment.port': port,
      'enrichment.external_sources': [{ name: 'plugin', url: plugin.url }],
      'enrichment.own_sources': '',
    },
    onAudit: (event) => void events.push(event),
  });
});
after(async () => {
  await program.close();
  await provider[Symbol.asyncDispose]();
  await plugin[Symbol.asyncDispose]();
});

describe('/api/v1/clue/ of the alert service', () => {
  it('is offered to the web interface', async () => {
    const { json } = await program.request('/api/v1/configs');
    assert.equal(json.api_response.configuration.features.clue, true);
  });

  it('reaches the enrichment service for every way to sign in', async () => {
    const login = await program.request('/api/v1/auth/login', {
      method: 'POST',
      json: { user: 'user', password: 'user' },
    });
    const callers: readonly TestRequest[] = [
      { basic: 'user:user' },
      { basic: 'user:devkey:user' },
      { bearer: login.json.api_response.app_token },
      { bearer: await provider.accessToken('hopper', 'alerts') },
    ];
    for (const caller of callers) {
      const types = await program.request('/api/v1/clue/api/v1/lookup/types/', caller);
      assert.deepEqual([types.status, types.json.api_response], [200, { plugin: ['domain'] }], types.text);
      const actions = await program.request('/api/v1/clue/api/v1/actions', caller);
      assert.deepEqual(Object.keys(actions.json.api_response), ['plugin.note']);
      const run = await program.request('/api/v1/clue/api/v1/actions/execute/plugin/note?max_timeout=5', {
        method: 'POST',
        json: SELECTOR,
        ...caller,
      });
      assert.deepEqual(run.json.api_response, PLUGIN['/actions/note']);
    }
  });

  it('serves each request of the Clue plugin of howler-ui', async () => {
    const selector = { type: 'domain', value: 'example.org', classification: 'UNRESTRICTED' };
    const enrich =
      'lookup/enrich?sources=plugin&classification=UNRESTRICTED&max_timeout=5&include_raw=true&no_cache=true';
    const answers: Record<string, (given: Record<string, unknown>) => unknown> = {
      configs: ({ c12nDef }) => typeof c12nDef,
      'lookup/types': ({ plugin }) => plugin,
      'lookup/types_detection': ({ domain }) => typeof domain,
      actions: (given) => Object.keys(given),
      fetchers: (given) => Object.keys(given),
    };
    const headers = { 'content-type': 'application/json', 'x-xsrf-token': 'x' };
    const login = await program.request('/api/v1/auth/login', {
      method: 'POST',
      json: { user: 'user', password: 'user' },
    });
    const as = { bearer: login.json.api_response.app_token, headers };
    const read = await Promise.all(
      Object.entries(answers).map(async ([path, part]) => {
        const { json, text } = await program.request(`/api/v1/clue/api/v1/${path}`, as);
        assert.ok(json.api_response, text);
        return part(json.api_response);
      }),
    );
    assert.deepEqual(read, ['object', ['domain'], 'string', ['plugin.note'], ['plugin.page']]);
    const send = async (path: string, json: unknown) => {
      const answer = await program.request(`/api/v1/clue/api/v1/${path}`, { ...as, method: 'POST', json });
      return answer.json.api_response;
    };
    const found = await send(enrich, [selector]);
    assert.equal(found.domain['example.org'].plugin.items.length, 1);
    const form = { selector, selectors: [], context: null, comment: 'x' };
    assert.equal((await send('actions/execute/plugin/note', form)).output, 'written');
    assert.equal((await send('fetchers/plugin/page', selector)).data, 'read');
  });

  it('names the user and the alert service in the audit log', () => {
    const call = events.find(({ event, service }) => event === 'on_behalf_of_call' && service === 'enrichment');
    assert.deepEqual([call?.user, call?.azp], ['user', 'alerts']);
  });

  it('lends no more than the credential of the caller has', async () => {
    const created = await program.request('/api/v1/auth/apikey', {
      method: 'POST',
      basic: 'admin:admin',
      json: { name: 'reading', priv: ['R'] },
    });
    const path = '/api/v1/clue/api/v1/registration/register/';
    const request = { method: 'POST', json: { name: 'late', url: plugin.url } };
    const basic = `admin:${created.json.api_response.apikey}`;
    const refused = await program.request(path, { ...request, basic });
    assert.equal(refused.status, 502);
    assert.equal(refused.json.api_error_message, 'Something went wrong when connecting to clue');
    assert.equal(refused.json.api_response.api_status_code, 403);
    assert.equal(
      (await program.request(path, { ...request, basic: 'user:user' })).json.api_response.api_status_code,
      403,
    );
    assert.equal((await program.request(path, { ...request, basic: 'admin:admin' })).json.api_response, 'late');
  });

  it('sends the enrichment service, and sources, no credential of an account', () => {
    for (const { headers } of plugin.requests) {
      assert.doesNotMatch(String(headers.authorization), /^Basic|user:|admin:/);
      assert.equal(headers['x-apikey'], undefined);
    }
  });
});
