import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import type { TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackFixture, pathOf, routesOf, startAttackFixture } from './attack-fixture.ts';

const ADD = '/api/v4/apikey/add/';
const KEY = { key_name: 'more', priv: ['R'], expiry_ts: null };

let fixture: AttackFixture & AsyncDisposable;
/** Session of the attacker, who signed in with a password. */
let session: { readonly session: string; readonly xsrfToken: string };
before(async () => {
  fixture = await startAttackFixture();
  const { users, analysisIdentity } = fixture.program.foundation;
  const full = storedKey('secret', ['R', 'W', 'E']);
  const last_used = new Date().toISOString();
  await saveUser(users, 'attacker', {
    type: ['user'],
    apikeys: {
      full,
      chosen: storedKey('secret', []),
      read: storedKey('secret', ['R']),
      manage: storedKey('secret', []),
    },
    // The first use of a key on a day is noted with the account.
    key_details: {
      full: { last_used },
      chosen: { last_used, roles: ['administration', 'apikey_access', 'self_manage'] },
      read: { last_used },
      manage: { last_used, roles: ['apikey_access'] },
    },
  });
  // Few roles, which make every letter worth as little as the roles of the key: at this service.
  await saveUser(users, 'clerk', {
    type: ['user'],
    roles: ['apikey_access', 'self_manage', 'submission_view', 'submission_create'],
    apikeys: { few: storedKey('secret', []), read: storedKey('secret', ['R', 'E']) },
    key_details: {
      few: { last_used, roles: ['apikey_access', 'self_manage', 'submission_view', 'submission_create'] },
      read: { last_used },
    },
  });
  await saveUser(users, 'victim', { type: ['admin', 'user'], apikeys: { plain: full } });
  session = await analysisIdentity.login({
    user: 'attacker',
    password: 'password',
    address: '127.0.0.1',
    userAgent: 'attacker',
  });
});
after(() => fixture[Symbol.asyncDispose]());

const byKey = (name: string): TestRequest['headers'] => ({ 'x-user': 'attacker', 'x-apikey': `${name}:secret` });
const bySession = (): TestRequest['headers'] => ({
  cookie: `session=${session.session}`,
  'x-xsrf-token': session.xsrfToken,
});

interface Row {
  readonly what: string;
  readonly path?: string;
  readonly method?: string;
  readonly json?: unknown;
  readonly headers?: () => TestRequest['headers'];
  readonly status: number;
  /** Code of `api_key_refused`; undefined when no key is requested. */
  readonly code?: string;
}

const ROWS: readonly Row[] = [
  { what: 'for another user', json: { ...KEY, uname: 'victim' }, status: 400, code: 'api_key_not_own' },
  { what: 'for a user who does not exist', json: { ...KEY, uname: 'nobody' }, status: 400, code: 'api_key_not_own' },
  {
    what: 'with roles alone that the owner has not',
    json: { ...KEY, priv: ['C'], roles: ['administration'] },
    status: 400,
    code: 'invalid_api_key_privileges',
  },
  {
    what: 'with a role that does not exist',
    json: { ...KEY, priv: ['C'], roles: ['root'] },
    status: 400,
    code: 'invalid_api_key_privileges',
  },
  {
    what: 'with a privilege that does not exist',
    json: { ...KEY, priv: ['X'] },
    status: 400,
    code: 'invalid_api_key_privileges',
  },
  {
    what: 'for impersonation, which is the alert service’s',
    json: { ...KEY, priv: ['I'] },
    status: 400,
    code: 'invalid_api_key_privileges',
  },
  {
    what: 'with a name that leads elsewhere in the account',
    json: { ...KEY, key_name: 'a.acl' },
    status: 400,
    code: 'invalid_api_key_name',
  },
  {
    what: 'with the name of a prototype',
    json: { ...KEY, key_name: '__proto__' },
    status: 400,
    code: 'invalid_api_key_name',
  },
  {
    what: 'with more than the key that asks for it',
    json: { ...KEY, priv: ['R', 'W'] },
    headers: () => byKey('manage'),
    status: 403,
    code: 'privilege_not_held',
  },
  { what: 'with a key that may not manage keys', json: KEY, headers: () => byKey('read'), status: 403 },
  {
    what: 'in the place of the key of another user',
    path: `${ADD}?keyid=plain%2Bvictim`,
    json: KEY,
    status: 400,
    code: 'api_key_not_own',
  },
  { what: 'of another user: revoked', path: '/api/v4/apikey/plain+victim/', method: 'DELETE', status: 200 },
  { what: 'of another user: read', path: '/api/v4/apikey/plain+victim/', method: 'GET', status: 403 },
  { what: 'of another user: listed', path: '/api/v4/apikey/username/victim/', method: 'GET', status: 400 },
  { what: 'of all users: listed', path: '/api/v4/apikey/list/', method: 'GET', status: 403 },
];

describe('API keys of the analysis service above their owner', () => {
  for (const { what, path = ADD, method = 'PUT', json, headers = bySession, status, code } of ROWS) {
    it(`a key ${what}: ${status}, nothing is made, changed or told, and the audit log has what was asked for`, async () => {
      const request = { service: 'analysis', method, ...(json === undefined ? {} : { json }) } as const;
      const { answer, events, changedUsers } = await fixture.attack(path, { ...request, headers: { ...headers() } });
      assert.equal(answer.status, status, answer.text);
      if (status === 200) assert.deepEqual(answer.json.api_response, { success: false });
      assert.doesNotMatch(answer.text, /password"|argon2|hmac/i);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(
        events.map(({ event, by, code: why }) => [event, by, why]),
        code === undefined ? [] : [['api_key_refused', 'attacker', code]],
      );
    });
  }

  for (const { name, priv, status } of [
    { name: 'few', priv: ['E'], status: 403 },
    { name: 'few', priv: ['R'], status: 403 },
    { name: 'few', priv: ['R', 'W'], status: 403 },
    { name: 'read', priv: ['W'], status: 403 },
    { name: 'read', priv: ['E'], status: 200 },
  ]) {
    it(`a key with ${priv.join()}, which counts at the alert service too, asked for with the key ${name}: ${status}`, async () => {
      const { answer, changedUsers } = await fixture.attack(ADD, {
        service: 'analysis',
        method: 'PUT',
        json: { ...KEY, key_name: `${name} ${priv.join('')}`, priv },
        headers: { 'x-user': 'clerk', 'x-apikey': `${name}:secret` },
      });
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(changedUsers, status === 200 ? ['clerk'] : []);
    });
  }

  for (const name of ['full', 'chosen']) {
    it(`a key that says more than its owner may (${name}) opens nothing that is for administrators`, async () => {
      const forAdministrators = routesOf(fixture.program, 'analysis').filter(
        ({ access }) =>
          access !== 'public' && access.roles !== 'any' && access.roles.every((role) => role === 'administration'),
      );
      assert.ok(forAdministrators.length > 2);
      for (const route of forAdministrators) {
        const { answer, changedUsers } = await fixture.attack(pathOf(route), {
          service: 'analysis',
          method: route.method,
          ...(['GET', 'DELETE'].includes(route.method) ? {} : { json: {} }),
          headers: { ...byKey(name) },
        });
        assert.equal(answer.status, 403, `${route.method} ${route.path}: ${answer.text}`);
        assert.deepEqual(changedUsers, []);
      }
    });
  }

  it('users cannot raise their own rights by changing their account', async () => {
    for (const change of [
      { type: ['admin'] },
      { roles: ['administration'] },
      { classification: 'TLP:RED' },
      { is_active: true, api_quota: 0, api_daily_quota: 0, submission_daily_quota: 0 },
      { can_impersonate: true },
      { groups: ['ADMIN'] },
      { apikeys: { mine: storedKey('x', ['R', 'W', 'E']) } },
      { apps: { mine: { client_id: 'attacker', roles: ['administration'] } } },
      { identity_id: 'of the victim' },
      { dn: 'CN=victim' },
      { uname: 'victim' },
      { security_tokens: { mine: 'x' } },
    ]) {
      const stored = await fixture.program.foundation.users.get('attacker');
      const json = { uname: 'attacker', name: stored?.name, ...change };
      const request = { service: 'analysis', method: 'POST', json, headers: { ...bySession() } } as const;
      const { changedUsers, events } = await fixture.attack('/api/v4/user/attacker/', request);
      assert.deepEqual(changedUsers, [], JSON.stringify(change));
      assert.deepEqual(events, []);
    }
  });
});
