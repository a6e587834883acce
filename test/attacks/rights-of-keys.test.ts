import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { User } from '../../src/documents/kinds/user.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import type { TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const PASSWORD = 'a password of the thief';
const last_used = new Date().toISOString();

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const keys = {
    extended: ['R', 'E'],
    writing: ['W', 'E'],
    chosen: [],
    full: ['R', 'W', 'E'],
    impersonate_all: ['R', 'W', 'I'],
  } as const;
  const apikeys = Object.fromEntries(
    Object.entries(keys).map(([name, acl]) => [name, storedKey('secret', [...acl], { agents: ['agent'] })]),
  );
  const roles = ['administration', 'self_manage', 'apikey_access', 'file_detail'];
  const key_details = Object.fromEntries(
    Object.keys(keys).map((name) => [name, name === 'chosen' ? { last_used, roles } : { last_used }]),
  ) as NonNullable<User['key_details']>;
  const { users } = fixture.program.foundation;
  await saveUser(users, 'chief', { type: ['admin', 'user'], apikeys, key_details });
  await saveUser(users, 'target', { type: ['user'] });
  await saveUser(users, 'agent', { apikeys: { all: storedKey('secret', ['R', 'W', 'E']) } });
});
after(() => fixture[Symbol.asyncDispose]());

/** Requests of an administrator that give out or take away rights, by service. */
const GRANTS: readonly (readonly [string, string, TestRequest])[] = [
  [
    'creates an administrator',
    '/api/v1/user/made/',
    { method: 'POST', json: { name: 'Made', new_pass: PASSWORD, type: ['admin'] } },
  ],
  ['creates a user', '/api/v1/user/made/', { method: 'POST', json: { name: 'Made' } }],
  ['sets the password of another', '/api/v1/user/target/', { method: 'PUT', json: { new_pass: PASSWORD } }],
  ['makes another an administrator', '/api/v1/user/target/', { method: 'PUT', json: { type: ['admin', 'user'] } }],
  [
    'raises the classification of another',
    '/api/v1/user/target/',
    { method: 'PUT', json: { classification: 'RESTRICTED' } },
  ],
  ['puts another into a group', '/api/v1/user/target/', { method: 'PUT', json: { groups: ['other'] } }],
  ['disables another', '/api/v1/user/target/', { method: 'PUT', json: { is_active: false } }],
  ['gives itself a group', '/api/v1/user/chief/', { method: 'PUT', json: { groups: ['other'] } }],
  [
    'gives itself a type',
    '/api/v1/user/chief/',
    { method: 'PUT', json: { type: ['admin', 'user', 'automation_advanced'] } },
  ],
  ['deletes a user', '/api/v1/user/target/', { method: 'DELETE' }],
  [
    'creates an administrator',
    '/api/v4/user/made/',
    { method: 'PUT', json: { name: 'Made', new_pass: PASSWORD, type: ['admin'] } },
  ],
  [
    'sets the password of another',
    '/api/v4/user/target/',
    { method: 'POST', json: { name: 'Target', new_pass: PASSWORD } },
  ],
  [
    'makes another an administrator',
    '/api/v4/user/target/',
    { method: 'POST', json: { name: 'Target', type: ['admin', 'user'] } },
  ],
  [
    'gives itself a type',
    '/api/v4/user/chief/',
    { method: 'POST', json: { name: 'chief', type: ['admin', 'user', 'viewer'] } },
  ],
  [
    'makes a key of another',
    '/api/v4/apikey/add/',
    { method: 'PUT', json: { uname: 'target', key_name: 'more', priv: 'R' } },
  ],
  [
    'makes a key with more than its own',
    '/api/v4/apikey/add/',
    { method: 'PUT', json: { key_name: 'more', priv: ['R', 'W'] } },
  ],
  [
    'gives another a role',
    '/api/v4/user/target/',
    { method: 'POST', json: { name: 'Target', roles: ['administration'] } },
  ],
  ['takes the second factor of another away', '/api/v4/auth/unset_otp/target/', {}],
  ['deletes a user', '/api/v4/user/target/', { method: 'DELETE' }],
];

const ways = (path: string, key: string): TestRequest =>
  path.startsWith('/api/v1/')
    ? { basic: `chief:${key}:secret` }
    : { service: 'analysis', headers: { 'x-user': 'chief', 'x-apikey': `${key}:secret` } };

describe('a key of an administrator with fewer rights than the account', () => {
  for (const [what, path, request] of GRANTS) {
    // Keys of chosen roles open nothing at the alert service, and keys without E open no route for accounts.
    const keys = path.startsWith('/api/v1/') ? ['extended', 'writing'] : ['extended', 'chosen'];
    for (const key of keys) {
      it(`refuses the key ${key} that ${what}: ${request.method ?? 'GET'} ${path}`, async () => {
        const { answer, changedUsers } = await fixture.attack(path, { ...request, ...ways(path, key) });
        assert.equal(answer.status, 403, answer.text);
        assert.match(answer.json.api_error_message, /credential that you use/);
        assert.deepEqual(changedUsers, []);
      });
    }
  }

  it('refuses an app token and a session that were exchanged for such a key', async () => {
    const login = { method: 'POST', json: { user: 'chief', apikey: 'extended:secret' } };
    const bearer = (await fixture.program.request('/api/v1/auth/login', login)).json.api_response.app_token;
    const json = { type: ['admin', 'user'] };
    const byToken = await fixture.attack('/api/v1/user/target/', { method: 'PUT', json, bearer });
    assert.equal(byToken.answer.status, 403, byToken.answer.text);
    const who = { address: '127.0.0.1', userAgent: 'attacker' };
    const { analysisIdentity } = fixture.program.foundation;
    const { session } = await analysisIdentity.login({ user: 'chief', apikey: 'extended:secret', ...who });
    const bySession = await fixture.attack('/api/v4/user/target/', {
      ...{ service: 'analysis', method: 'POST', headers: { cookie: `session=${session}` } },
      json: { name: 'Target', ...json },
    });
    assert.equal(bySession.answer.status, 403, bySession.answer.text);
    assert.deepEqual([byToken.changedUsers, bySession.changedUsers], [[], []]);
  });

  it('leaves such keys what users change of themselves', async () => {
    for (const [path, request] of [
      ['/api/v1/user/chief/', { method: 'PUT', json: { name: 'Chief' } }],
      ['/api/v1/user/chief/', { method: 'PUT', json: { refresh_rate: 30 } }],
      ['/api/v1/auth/apikey/', { method: 'POST', json: { name: 'less', priv: 'RE' } }],
    ] as const) {
      const { answer } = await fixture.attack(path, { ...request, ...ways(path, 'extended') });
      assert.equal(answer.status, 200, answer.text);
    }
    const own = { service: 'analysis', headers: { 'x-user': 'chief', 'x-apikey': 'chosen:secret' } } as const;
    const account = (await fixture.attack('/api/v4/user/chief/', own)).answer.json.api_response;
    const json = { ...account, name: 'Chief again' };
    const { answer } = await fixture.attack('/api/v4/user/chief/', { ...own, method: 'POST', json });
    assert.equal(answer.status, 200, answer.text);
  });
});

it('a key with all privileges gives out rights at both services', async () => {
  const requests = GRANTS.filter(([what]) => !/deletes|itself|more than|creates a user/.test(what));
  for (const [what, path, request] of requests) {
    const { answer } = await fixture.attack(path.replace('v4/user/made', 'v4/user/made4'), {
      ...request,
      ...ways(path, 'full'),
    });
    assert.equal(answer.status, 200, `${what}: ${answer.text}`);
  }
});

it('users do not take away what limits them, no more than they give themselves rights', async () => {
  const { users } = fixture.program.foundation;
  const limits = {
    access_control: '__access_lvl__:[0 TO 100]',
    api_quota: 3,
    api_daily_quota: 10,
    submission_daily_quota: 10,
    groups: ['USERS'],
    classification: 'UNRESTRICTED',
  };
  await saveUser(users, 'limited', { type: ['user'], ...limits });
  const own = { method: 'PUT', basic: 'limited:password' } as const;
  for (const field of Object.keys(limits)) {
    const { answer, changedUsers } = await fixture.attack('/api/v1/user/limited/', { ...own, json: { [field]: null } });
    assert.deepEqual(changedUsers, [], `${field}: ${answer.text}`);
  }
  const json = { access_control: null, api_daily_quota: null };
  const byAdministrator = await fixture.attack('/api/v1/user/limited/', { ...own, json, basic: 'chief:full:secret' });
  assert.equal(byAdministrator.answer.status, 200, byAdministrator.answer.text);
  const { access_control, api_daily_quota } = (await users.get('limited')) ?? {};
  assert.deepEqual([access_control, api_daily_quota], [undefined, undefined]);
});
