import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CookieJar } from '../../testing/identity/cookie-jar.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../testing/start-test-program.ts';

const PASSWORD = 'correct horse battery';
const ADMINISTRATOR = { 'x-user': 'admin', 'x-apikey': 'devkey:admin' };
/** A key for reading and writing alone: without the roles that administer users or the account itself. */
const READER = { 'x-user': 'admin', 'x-apikey': 'readonly:admin' };

describe('the routes of users of the analysis service', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({
      settings: { 'analysis.ui.tos': 'Be **kind**.', 'analysis.ui.tos_lockout': true },
    });
    await program.foundation.users.update('admin', [
      { op: 'set', path: 'agrees_with_tos', value: '2026-01-02T03:04:05.000000Z' },
    ]);
  });
  after(() => program.close());

  const call = (path: string, request: TestRequest = {}) =>
    program.request(`/api/v4/user/${path}`, { headers: ADMINISTRATOR, ...request, service: 'analysis' });

  /** Headers of a session that the user opens with their password. */
  async function sessionOf(user: string): Promise<Record<string, string>> {
    const login = await program.request('/api/v4/auth/login/', {
      service: 'analysis',
      method: 'POST',
      json: { user, password: PASSWORD },
      headers: { 'user-agent': 'test' },
    });
    assert.equal(login.status, 200, login.text);
    return { ...new CookieJar(login).sessionHeaders, 'user-agent': 'test' };
  }

  async function makeUser(name: string, more: object = {}): Promise<void> {
    const json = { name, type: ['user'], classification: 'UNRESTRICTED', new_pass: PASSWORD, ...more };
    const made = await call(`${name}/`, { method: 'PUT', json });
    assert.equal(made.status, 200, made.text);
  }

  it('tell new users who they are, and little else until they agree to the terms, which locks them out', async () => {
    await makeUser('tessa');
    const headers = await sessionOf('tessa');
    assert.equal((await call('whoami/', { headers })).json.api_response.configuration.ui.tos, true);
    assert.equal((await call('tessa/', { headers })).status, 403);
    assert.equal((await call('tos/admin/', { headers })).status, 403);
    assert.equal((await call('tos/tessa/', { headers })).status, 200);
    const { is_active: active, agrees_with_tos: agreed } = (await call('tessa/')).json.api_response;
    assert.equal(active, false);
    assert.match(agreed, /^\d{4}-\d\d-\d\dT/);
    assert.equal((await call('whoami/', { headers })).status, 403);
  });

  it('let no one agree in the name of another, administrators included', async () => {
    await makeUser('tomas');
    const refused = await call('tos/tomas/');
    assert.equal(refused.status, 403);
    assert.equal((await call('tomas/')).json.api_response.agrees_with_tos, null);
  });

  it('are closed to keys without the roles, regardless of who owns them', async () => {
    const requests: readonly (readonly [string, TestRequest])[] = [
      ['vera/', { method: 'PUT', json: { name: 'Vera' } }],
      ['admin/', { method: 'POST', json: { name: 'Admin' } }],
      ['user/', { method: 'DELETE' }],
      ['list/', {}],
      ['tos/admin/', {}],
      ['avatar/admin/', { method: 'POST', body: 'data:,' }],
      ['settings/admin/', { method: 'POST', json: {} }],
      ['favorites/admin/', { method: 'POST', json: {} }],
      ['favorites/admin/search/', { method: 'PUT', json: {} }],
      ['favorites/admin/search/', { method: 'DELETE', json: 'x' }],
      ['user/', {}],
    ];
    for (const [path, request] of requests) {
      const answer = await call(path, { ...request, headers: READER });
      assert.equal(answer.status, 403, `${request.method ?? 'GET'} ${path}: ${answer.text}`);
    }
    assert.equal((await call('admin/', { headers: READER })).status, 200);
  });

  it('refuse a body that is none, and change nothing', async () => {
    for (const request of [{ body: 'x' }, { json: [] }, { json: 'x' }, {}]) {
      for (const [path, method] of [
        ['nobody/', 'PUT'],
        ['admin/', 'POST'],
        ['settings/admin/', 'POST'],
        ['favorites/admin/', 'POST'],
        ['favorites/admin/search/', 'PUT'],
      ] as const) {
        const answer = await call(path, { ...request, method });
        assert.equal(Math.floor(answer.status / 100), 4, `${method} ${path}: ${answer.text}`);
        assert.ok(answer.json.api_error_message !== '');
      }
    }
    assert.equal((await call('nobody/')).status, 404);
  });

  it('list accounts by a query, a page at a time, and sort by nothing that is secret', async () => {
    await makeUser('list-a');
    await makeUser('list-b');
    const page = await call('list/?query=uname:list-*&rows=1&offset=1&sort=uname%20desc');
    const { items, ...figures } = page.json.api_response;
    assert.deepEqual(figures, { offset: 1, rows: 1, total: 2 });
    assert.deepEqual(
      items.map((item: { id: string }) => item.id),
      ['list-a'],
    );
    for (const query of ['rows=many', 'offset=-1', 'sort=password', 'sort=otp_sk%20desc', 'sort=a%20b%20c']) {
      assert.equal((await call(`list/?${query}`)).status, 400, query);
    }
    assert.equal((await call('list/?query=password:*')).json.api_response.total, 0);
    assert.equal((await call('list/?query=uname:(')).status, 400);
  });

  it('find accounts by their kinds, also those that this service alone knows', async () => {
    await makeUser('kind-v', { type: ['viewer'] });
    await makeUser('kind-vs', { type: ['viewer', 'submitter'] });
    await makeUser('kind-u', { type: ['user'] });
    const queries: Readonly<Record<string, readonly string[]>> = {
      'type:viewer': ['kind-v', 'kind-vs'],
      'type:(viewer AND submitter)': ['kind-vs'],
      'type:(user OR submitter)': ['kind-u', 'kind-vs'],
      'type:"viewer" AND NOT type:submitter': ['kind-v'],
      'NOT type:viewer': ['kind-u'],
      'type:view*': ['kind-v', 'kind-vs'],
      'type:/sub.*/': ['kind-vs'],
      '_exists_:type': ['kind-u', 'kind-v', 'kind-vs'],
    };
    for (const [query, expected] of Object.entries(queries)) {
      const { json } = await call(`list/?${new URLSearchParams({ query: `uname:kind-* AND (${query})` })}`);
      const found = json.api_response.items.map((item: { uname: string }) => item.uname);
      assert.deepEqual(found, expected, query);
    }
  });

  it('delete all that belongs to an account with it', async () => {
    await makeUser('gone', { avatar: 'data:,x' });
    const favourite = { name: 'x', query: '*', classification: 'UNRESTRICTED', created_by: 'gone' };
    await call('favorites/gone/search/', { method: 'PUT', json: favourite });
    await call('settings/gone/', { method: 'POST', json: { default_zip_password: 'mine' } });
    assert.equal((await call('gone/', { method: 'DELETE' })).status, 200);
    await makeUser('gone');
    assert.equal((await call('gone/?load_avatar')).json.api_response.avatar, null);
    assert.deepEqual((await call('favorites/gone/')).json.api_response.search, []);
    assert.equal((await call('settings/gone/')).json.api_response.default_zip_password, 'infected');
  });

  it('end the session of anyone who gets another password', async () => {
    await makeUser('paul', { agrees_with_tos: '2026-01-02T03:04:05.000000Z' });
    const headers = await sessionOf('paul');
    const own = (await call('paul/', { headers })).json.api_response;
    const changed = await call('paul/', { method: 'POST', headers, json: { ...own, new_pass: `${PASSWORD} 2` } });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await call('paul/', { headers })).status, 401);
  });
});
