import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isTriadError } from '../../errors/errors.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { basic, openIdentityWithUsers } from '../../testing/identity/open-test-identity.ts';
import { LOCAL_ORIGIN } from './audit-log.ts';

const FROM = { address: '192.0.2.1', userAgent: 'curl', requestId: 'one', call: 'GET /api/v1/user/whoami/' };
const AT = { service: 'alerts', ...FROM };

describe('what identity tells the audit log', () => {
  it('of sign-ins: how, and whose key', async (context) => {
    const { identity, events } = await setUp(context);
    await identity.login({ ...FROM, user: 'ada', password: 'password' });
    await identity.login({ ...FROM, user: 'ada', apikey: 'readonly:secret' });
    assert.deepEqual(told(events), [
      { event: 'login_succeeded', ...AT, user: 'ada', method: 'password' },
      { event: 'login_succeeded', ...AT, user: 'ada', method: 'api_key', key: 'readonly' },
    ]);
  });

  it('of refused sign-ins and locked accounts: who they claimed to be, and why', async (context) => {
    const { identity, events } = await setUp(context, { 'auth.internal.max_failures': 2 });
    for (const password of ['wrong', 'worse', 'password'])
      await refused(identity.login({ ...FROM, user: 'ada', password }));
    await refused(identity.login({ ...FROM, user: 'nobody', apikey: 'devkey:wrong' }));
    await refused(identity.login({ ...FROM, user: 'ada' }));
    assert.deepEqual(told(events), [
      { event: 'login_failed', ...AT, user: 'ada', method: 'password', code: 'invalid_login' },
      { event: 'locked_out', service: 'alerts', user: 'ada', address: '192.0.2.1' },
      { event: 'login_failed', ...AT, user: 'ada', method: 'password', code: 'invalid_login' },
      { event: 'login_failed', ...AT, user: 'ada', method: 'password', code: 'locked_out' },
      { event: 'login_failed', ...AT, user: 'nobody', method: 'api_key', code: 'invalid_login' },
      { event: 'login_failed', ...AT, user: 'ada', method: 'password', code: 'incomplete_login' },
    ]);
  });

  it('of refused requests', async (context) => {
    const { authenticate, events } = await setUp(context);
    const claim = { event: 'credential_refused', ...AT };
    for (const [authorization, expected] of [
      [basic('ada:wrong'), { user: 'ada', method: 'password', code: 'invalid_login' }],
      [basic('ada:expired:secret'), { user: 'ada', method: 'api_key', code: 'expired_api_key' }],
      [basic('ada:impersonate:secret'), { user: 'ada', method: 'api_key', code: 'impersonation_key_misused' }],
      ['Bearer ada:forged', { user: 'ada', method: 'app_token', code: 'invalid_token' }],
      ['Basic !', { code: 'malformed_authorization' }],
    ] as const) {
      events.length = 0;
      await refused(authenticate(authorization, FROM));
      assert.deepEqual(told(events), [{ ...claim, ...expected }]);
    }
  });

  it('nothing of requests that are admitted, and of those that bring no credential', async (context) => {
    const { authenticate, events } = await setUp(context);
    await authenticate(basic('ada:devkey:secret'), FROM);
    await refused(authenticate(undefined, FROM));
    assert.deepEqual(events, []);
  });

  it('of impersonations: who, whom, by which key; and who tried in vain', async (context) => {
    const { authenticate, events } = await setUp(context);
    const grace = basic('grace:devkey:secret');
    await authenticate(grace, { ...FROM, impersonating: basic('ada:impersonate:secret') });
    await refused(authenticate(grace, { ...FROM, impersonating: basic('ada:devkey:secret') }));
    const whom = { ...AT, user: 'ada', impersonator: 'grace', method: 'api_key' };
    assert.deepEqual(told(events), [
      { event: 'impersonated', ...whom, key: 'impersonate' },
      { event: 'credential_refused', ...whom, code: 'not_an_impersonation_key' },
    ]);
  });

  it('of API keys: made with which privileges, revoked, and refused', async (context) => {
    const { apiKeys, events } = await setUp(context);
    const origin = { ...AT, service: 'alerts', by: 'ada' } as const;
    const key = { event: 'api_key_created', ...origin, user: 'grace', key: 'mine' };
    await apiKeys.create({ username: 'grace', privileges: new Set(['R', 'W']) }, { name: 'mine', priv: 'RW' }, origin);
    await apiKeys.delete('grace', 'mine', origin);
    await refused(apiKeys.delete('grace', 'mine', origin));
    await refused(
      apiKeys.create({ username: 'grace', privileges: new Set(['R']) }, { name: 'more', priv: 'W' }, origin),
    );
    assert.deepEqual(told(events), [
      { ...key, after: ['R', 'W'] },
      { ...key, event: 'api_key_revoked' },
      { event: 'api_key_refused', ...origin, user: 'grace', code: 'privilege_not_held' },
    ]);
  });

  it('of accounts: made, changed in what, given roles, switched off and on, deleted', async (context) => {
    const { accounts, events } = await setUp(context);
    const origin = { ...AT, service: 'alerts', by: 'ada' } as const;
    const ada = anActor({ username: 'ada', isAdmin: true });
    await accounts.create('lin', { name: 'Lin', type: ['user'] }, origin);
    await accounts.update(
      ada,
      'lin',
      { type: ['user', 'admin'], is_active: false, name: 'L', groups: ['A'], new_pass: 'long enough password' },
      origin,
    );
    await accounts.update(ada, 'lin', { name: 'L' }, origin);
    await accounts.update(ada, 'lin', { is_active: true }, origin);
    await accounts.setActive('lin', false);
    await accounts.setPassword('lin', 'another long password');
    await accounts.delete('lin', origin);
    await refused(accounts.delete('lin', origin));
    const lin = { ...origin, user: 'lin' };
    const locally = { ...LOCAL_ORIGIN, user: 'lin' };
    assert.deepEqual(
      told(events),
      [
        { event: 'user_created', ...lin, after: ['user'] },
        { event: 'roles_changed', ...lin, before: ['user'], after: ['user', 'admin'] },
        { event: 'password_changed', ...lin },
        { event: 'user_changed', ...lin, fields: ['groups', 'name'] },
        { event: 'user_disabled', ...lin },
        { event: 'user_enabled', ...lin },
        { event: 'user_disabled', ...locally },
        { event: 'password_changed', ...locally },
        { event: 'user_deleted', ...lin },
      ].map(withoutUndefined),
    );
  });

  it('never a secret', async (context) => {
    const { identity, authenticate, apiKeys, accounts, events } = await setUp(context);
    const login = await identity.login({ ...FROM, user: 'ada', apikey: 'devkey:secret' });
    const made = await apiKeys.create({ username: 'grace', privileges: new Set(['R']) }, { name: 'mine', priv: 'R' });
    await accounts.create('lin', { name: 'Lin', new_pass: 'sesame open sesame' });
    await refused(identity.login({ ...FROM, user: 'ada', password: 'sesame' }));
    await refused(identity.login({ ...FROM, user: 'ada', apikey: 'sesame:open' }));
    await refused(authenticate(basic('ada:sesame:open'), FROM));
    await refused(authenticate('Bearer ada:sesame', FROM));
    await refused(authenticate('Bearer sesame.open.sesame', FROM));
    await refused(authenticate(basic('grace:devkey:secret'), { ...FROM, impersonating: basic('ada:sesame:open') }));
    const text = JSON.stringify(events);
    const secrets = ['sesame', login.appToken.split(':')[1] ?? '', made.split(':')[1] ?? ''];
    for (const secret of secrets) {
      assert.ok(secret !== '' && !text.includes(secret), `${secret} is in ${text}`);
      assert.ok(!text.includes(btoa(secret)));
    }
  });
});

async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  return openIdentityWithUsers(context, flags);
}

/** Fields that are not known are left out of a line. */
function told(events: readonly object[]): object[] {
  return events.map(withoutUndefined);
}

function withoutUndefined(event: object): object {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined));
}

async function refused(promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, isTriadError);
}
