import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../testing/start-test-program.ts';

const lines: Readonly<Record<string, unknown>>[] = [];
const ADMIN = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };

let program: TestProgram;
before(async () => {
  program = await startTestProgram({
    settings: { 'ui.audit': true },
    onLog: (entry) => void lines.push(entry),
  });
});
after(() => program.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  program.request(path, { service: 'analysis', headers, method });

describe('the analysis service', () => {
  it('lets the public client find out which version it talks to', async () => {
    const older = await ask('/api/v3/auth/init/');
    assert.equal(older.status, 404);
    assert.deepEqual(older.json, {
      api_error_message: 'Api does not exist (/api/v3/auth/init/)',
      api_response: '',
      api_server_version: '0.0.0-test',
      api_status_code: 404,
    });
    const versions = await ask('/api/', { ...ADMIN, 'content-type': 'application/json' });
    assert.equal(
      versions.text,
      '{"api_error_message":"","api_response":["v4"],"api_server_version":"0.0.0-test","api_status_code":200}',
    );
  });

  it('finds what a client asks for whose address of the server ends with a slash', async () => {
    assert.equal((await ask('//api/?x=1', ADMIN)).status, 200);
    const inside = await ask('/api//v4/?x=1', ADMIN);
    assert.equal(inside.status, 308);
    assert.equal(inside.headers.get('location'), '/api/v4/?x=1');
  });

  it('answers no path without its final slash, and none with one that has none', async () => {
    const answer = await ask('/api/v4/help/tos', ADMIN);
    assert.equal(answer.status, 405);
    assert.equal(
      answer.json.api_error_message,
      'Method not allowed: /api/v4/help/tos does not answer GET. Its address is /api/v4/help/tos/.',
    );
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
    assert.equal((await ask('/healthz/live/')).status, 404);
    const wrongMethod = await ask('/api/v4/help/tos/', ADMIN, 'DELETE');
    assert.equal(wrongMethod.status, 405);
    assert.equal(wrongMethod.json.api_response, '');
  });

  it('tells orchestrators that it lives and is ready', async () => {
    for (const path of ['/healthz/live', '/healthz/ready']) {
      const answer = await ask(path);
      assert.deepEqual([answer.status, answer.text], [200, 'OK']);
    }
    const { text } = await ask('/metrics');
    assert.match(text, /^triad_http_requests_total\{method="GET",path="\/healthz\/live",status="200"\} 1$/m);
    assert.match(text, /^triad_auth_success_total \d+$/m);
  });

  it('describes itself to people and programs', async () => {
    const page = await ask('/help/api');
    assert.equal(page.status, 200);
    assert.match(page.text, /data-url="api\/openapi.json"/);
    assert.match(page.text, /<script src="api\/reference.js">/);
    const { json } = await ask('/help/api/openapi.json');
    assert.deepEqual(json.paths['/api/v4/help/tos/'].get.security, undefined);
    assert.deepEqual(json.security[0], { user: [], apikey: [] });
    assert.equal(json.components.securitySchemes.apikey.name, 'X-APIKEY');
  });

  it('names its operations to anyone who may call them as the public system does', async () => {
    const { json } = await ask('/api/v4/', ADMIN);
    const { apis, blueprints } = json.api_response;
    assert.deepEqual(
      apis.find(({ path }: { path: string }) => path === '/api/v4/help/tos/'),
      {
        complete: true,
        count_towards_quota: false,
        description: 'The terms of service in Markdown, or null',
        function: 'api.v4.help.get_terms_of_service',
        id: 'help_get_terms_of_service',
        methods: ['GET'],
        name: 'Get Terms Of Service',
        path: '/api/v4/help/tos/',
        protected: true,
        require_role: [],
        ui_only: false,
      },
    );
    assert.equal(blueprints.help, 'What a client has to know of the installation');
    for (const text of Object.values(blueprints)) assert.notEqual(text, '');
  });

  it('shows administrators who may call what', async () => {
    const refused = await ask('/api/site_map/', { 'x-user': 'user', 'x-apikey': 'devkey:user' });
    assert.equal(refused.status, 403);
    const { json } = await ask('/api/site_map/', ADMIN);
    const urls = json.api_response.map(({ url }: { url: string }) => url);
    assert.deepEqual(urls, [...urls].sort());
    const own = json.api_response.find(({ url }: { url: string }) => url === '/api/site_map/');
    assert.deepEqual(own, {
      audit: false,
      count_towards_quota: false,
      function: 'api.site_map',
      methods: ['GET'],
      protected: true,
      required_type: ['administration'],
      url: '/api/site_map/',
    });
    const unsafe = await ask('/api/site_map/?unsafe_only', ADMIN);
    assert.ok(unsafe.json.api_response.every((route: { protected: boolean }) => !route.protected));
    assert.ok(unsafe.json.api_response.length > 0);
  });

  it('writes no credential of the query into its log', async () => {
    await ask('/api/v4/?XSRF_TOKEN=much-of-a-secret&other=shown', ADMIN);
    assert.ok(lines.length > 0);
    assert.doesNotMatch(JSON.stringify(lines), /much-of-a-secret|devkey:admin/);
  });
});
