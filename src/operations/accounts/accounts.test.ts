import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { askOperations } from '../../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({
    settings: {
      'auth.internal.password_requirements': { lower: true, upper: true, number: true, special: true, min_length: 40 },
    },
    onAudit: (event) => void events.push(event),
  });
});
after(() => program.close());

type Method = 'GET' | 'POST' | 'PATCH';
const ask = (path: string, method: Method = 'GET', json?: unknown) =>
  askOperations(program, `/v1/${path}`, { method, json });
const signIn = async (user: string, password: string) =>
  (await program.request('/api/v1/auth/login', { method: 'POST', json: { user, password } })).status;

describe('accounts', () => {
  it('are made with a random password that meets the requirements, and types and roles of all services', async () => {
    const fields = {
      name: 'Lin Chen',
      email: 'lin@example.org',
      types: ['user', 'automation_basic'],
      analysis_types: ['viewer'],
      classification: program.foundation.classification.restricted,
    };
    const made = await ask('users/lin', 'POST', fields);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.password.length, 40);
    assert.equal(await signIn('lin', made.json.password), 200);
    const { json: account } = await ask('users/lin');
    assert.deepEqual([account.types, account.analysis_types, account.roles], [fields.types, ['viewer'], []]);
    assert.deepEqual([account.has_password, account.has_second_factor, account.api_keys], [true, false, 0]);
    assert.ok(account.effective_roles.includes('alert_view'));
    assert.equal(account.classification, fields.classification);
    assert.ok(!JSON.stringify(account).includes('argon2'));
    const { event, user, by, service } = events.findLast((one) => one.event === 'user_created') ?? {};
    assert.deepEqual([event, user, by, service], ['user_created', 'lin', 'admin', 'operations']);

    const without = await ask('users/of-provider', 'POST', { password: false });
    assert.deepEqual([without.status, without.json], [201, { password: null }]);
    assert.equal((await ask('users/of-provider')).json.has_password, false);
  });

  it('are searched for by what both services know', async () => {
    const found = async (query: string) => {
      const { json } = await ask(`users?query=${encodeURIComponent(query)}`);
      return json.users.map(({ username }: { username: string }) => username);
    };
    assert.deepEqual(await found('type:viewer'), ['lin']);
    assert.deepEqual(await found('type:automation_basic AND chen'), ['lin']);
    assert.deepEqual(await found('li*'), ['lin']);
    const page = await ask('users?rows=2&offset=1');
    assert.deepEqual([page.json.users.length, page.json.total], [2, 7]);
    assert.ok(!page.text.includes('argon2') && !page.text.includes('apikeys'));
    for (const query of ['(', 'uname:[', '/a{/']) assert.equal((await ask(`users?query=${query}`)).status, 400, query);
    assert.equal((await ask('users?rows=1001')).status, 400);
  });

  it('are changed in parts; a disabled user is signed out', async () => {
    const changed = await ask('users/lin', 'PATCH', { types: ['user'], roles: ['submission_view'], email: null });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      [changed.json.types, changed.json.roles, changed.json.email],
      [['user'], ['submission_view'], null],
    );
    assert.deepEqual([changed.json.name, changed.json.analysis_types], ['Lin Chen', ['viewer']]);
    assert.deepEqual(changed.json.effective_roles, ['submission_view']);
    assert.deepEqual((await ask('users/lin', 'PATCH', { roles: [] })).json.roles, []);
    const bearer: string = await program
      .request('/api/v1/auth/login', { method: 'POST', json: { user: 'huey', password: 'huey' } })
      .then(({ json }) => json.api_response.app_token);
    assert.equal((await ask('users/huey', 'PATCH', { is_active: false })).json.is_active, false);
    assert.equal((await program.request('/api/v1/user/whoami', { bearer })).status, 401);
    assert.equal((await ask('users/huey', 'PATCH', { is_active: true })).json.is_active, true);
  });

  it('get a new random password, which ends their sessions', async () => {
    const { json } = await ask('users/lin/password', 'POST');
    assert.equal(await signIn('lin', json.password), 200);
    const again = await ask('users/lin/password', 'POST');
    assert.notEqual(again.json.password, json.password);
    assert.equal(await signIn('lin', json.password), 401);
    const { user, by } = events.findLast((one) => one.event === 'password_changed') ?? {};
    assert.deepEqual([user, by], ['lin', 'admin']);
    assert.ok(!JSON.stringify(events).includes(again.json.password));
  });

  it('of the caller keep their rights', async () => {
    for (const [json, at] of [
      [{ is_active: false }, 'is_active'],
      [{ types: ['user'] }, 'types'],
    ] as const) {
      const refused = await ask('users/admin', 'PATCH', json);
      assert.deepEqual([refused.status, refused.json.error.code, refused.json.error.at], [409, 'own_rights', at]);
    }
    assert.equal((await ask('users/admin', 'PATCH', { types: ['admin', 'user'], name: 'Michael' })).status, 200);
  });

  it('refuse bad input, and name the place', async () => {
    for (const [path, method, json, status, code] of [
      ['users/lin', 'POST', { name: 'Lin' }, 400, 'user_exists'],
      ['users/LIN', 'POST', { name: 'Lin' }, 400, 'user_exists'],
      [`users/${encodeURIComponent('a:b')}`, 'POST', {}, 400, 'invalid_username'],
      [`users/${'x'.repeat(300)}`, 'POST', {}, 400, 'invalid_username'],
      ['users/new', 'POST', { types: ['root'] }, 400, 'invalid_argument'],
      ['users/new', 'POST', { apikeys: {} }, 400, 'unknown_argument'],
      ['users/lin', 'PATCH', { password: 'x' }, 400, 'unknown_argument'],
      ['users/lin', 'PATCH', { classification: 'NOTHING' }, 400, 'invalid_classification'],
      ['users/lin', 'PATCH', { groups: [7] }, 400, 'invalid_argument'],
      ['users/lin', 'PATCH', { name: '' }, 400, 'invalid_argument'],
      ['users/none', 'PATCH', { name: 'None' }, 404, 'user_missing'],
      ['users/none/password', 'POST', undefined, 404, 'user_missing'],
      ['users/none', 'GET', undefined, 404, 'user_missing'],
    ] as const) {
      const refused = await ask(path, method, json);
      assert.deepEqual([refused.status, refused.json.error?.code], [status, code], `${method} ${path} ${refused.text}`);
    }
  });
});
