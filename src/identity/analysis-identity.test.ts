import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAnalysisIdentity } from '../testing/identity/open-analysis-identity.ts';
import { saveUser, storedKey } from '../testing/identity/open-test-identity.ts';
import { until } from '../testing/until.ts';
import { ROLES_OF_TYPE, rolesOfPrivileges } from './accounts/effective-roles.ts';

const ADA = { user: 'ada', apikey: 'devkey:secret' };
const wrongKey = { kind: 'unauthenticated', code: 'invalid_login', message: 'Invalid user or APIKey' };

describe('X-USER and X-APIKEY', () => {
  it('are the owner of the key, with the roles that both have', async (context) => {
    const { authenticate } = await openAnalysisIdentity(context);
    const actor = await authenticate({ user: 'grace', apikey: 'devkey:secret' });
    assert.deepEqual([actor.username, actor.method, actor.keyName], ['grace', 'api_key', 'devkey']);
    const expected = rolesOfPrivileges(['R', 'W', 'E']).filter((role) => ROLES_OF_TYPE.user.includes(role));
    assert.deepEqual([...actor.roles], expected);
    assert.ok(actor.hasFullScope && !actor.isAdmin);
    const reader = await authenticate({ user: 'ada', apikey: 'readonly:secret' });
    assert.deepEqual([...reader.roles], rolesOfPrivileges(['R']));
    assert.ok(!reader.hasFullScope && !reader.isAdmin);
    assert.deepEqual(reader.types, ['admin', 'user']);
  });

  it('are the same object while nothing changes: nothing is made again for each request', async (context) => {
    const { authenticate, users, clock } = await openAnalysisIdentity(context);
    const last_used = new Date(clock.now).toISOString();
    await saveUser(users, 'margaret', {
      apikeys: { devkey: storedKey('secret', ['R']) },
      key_details: { devkey: { last_used } },
    });
    const credentials = { user: 'margaret', apikey: 'devkey:secret' };
    assert.equal(await authenticate(credentials), await authenticate(credentials));
  });

  it('are refused in the same words regardless of what is wrong', async (context) => {
    const { authenticate, clock } = await openAnalysisIdentity(context);
    for (const [user, apikey] of [
      ['ada', 'devkey:wrong'],
      ['ada', 'devkey'],
      ['ada', ':secret'],
      ['ada', 'nokey:secret'],
      ['ada', 'devkey:secret:extra'],
      ['ada', 'expired:secret'],
      ['ada', 'impersonate:secret'],
      ['ada', '__proto__:secret'],
      ['ADA', 'devkey:secret'],
      ['nobody', 'devkey:secret'],
      ['grace', 'readonly:secret'],
    ]) {
      await assert.rejects(authenticate({ user, apikey }), wrongKey, `${user} ${apikey}`);
      clock.now += 1;
    }
  });

  it('are not locked out by wrong keys of others; who tries too many from one address is slowed down', async (context) => {
    const { authenticate, login } = await openAnalysisIdentity(context, {
      'auth.internal.max_failures_per_address': 8,
    });
    for (let number = 0; number < 8; number += 1) {
      await assert.rejects(authenticate({ user: 'ada', apikey: 'devkey:wrong' }), wrongKey);
    }
    await assert.rejects(authenticate({ user: 'ada', apikey: 'devkey:wrong' }), { code: 'too_many_failed_logins' });
    assert.equal((await authenticate(ADA)).username, 'ada');
    const other = { address: '198.51.100.7' };
    assert.equal((await login({ user: 'ada', password: 'password', ...other })).username, 'ada');
  });

  it('need both headers, or the session counts', async (context) => {
    const { authenticate } = await openAnalysisIdentity(context);
    for (const credentials of [
      {},
      { user: 'ada' },
      { user: 'ada', apikey: '' },
      { apikey: 'devkey:secret' },
      { authorization: 'Basic YWRhOnBhc3N3b3Jk' },
    ]) {
      await assert.rejects(authenticate(credentials), { code: 'session_not_found', message: 'Session not found' });
    }
  });

  it('are refused for accounts that are off or may have no keys, and where keys are off', async (context) => {
    const { authenticate, users } = await openAnalysisIdentity(context);
    await users.update('ada', [{ op: 'set', path: 'is_active', value: false }]);
    await assert.rejects(authenticate(ADA), {
      code: 'api_key_owner_inactive',
      message: 'This owner of this API Key is not active.',
    });
    await assert.rejects(authenticate({ user: 'ada', apikey: 'devkey:wrong' }), wrongKey);
    const apikeys = { devkey: storedKey('secret', ['R']) };
    await saveUser(users, 'importer', { type: [], analysis_types: ['signature_importer'], apikeys });
    await assert.rejects(authenticate({ user: 'importer', apikey: 'devkey:secret' }), {
      code: 'api_keys_not_allowed',
      message: 'This user is not allowed to use API Keys',
    });
    const off = await openAnalysisIdentity(context, { 'auth.allow_apikeys': false });
    await assert.rejects(off.authenticate(ADA), { code: 'api_keys_disabled', kind: 'unauthenticated' });
  });

  it('are noted with the key once a day', async (context) => {
    const { authenticate, users, clock } = await openAnalysisIdentity(context);
    const lastUsed = async () => (await users.get('ada'))?.key_details?.devkey?.last_used;
    const untilNoted = async (day: string) => {
      await authenticate(ADA);
      await until(`the use of ${day} is noted`, async () => (await lastUsed())?.startsWith(day) === true);
    };
    await untilNoted('2026-01-02');
    clock.now += 25 * 3_600_000;
    await untilNoted('2026-01-03');
    assert.equal((await users.get('ada'))?.apikeys?.devkey?.acl.length, 3, 'nothing else of the key changed');
  });
});

describe('logins', () => {
  it('want a user and a credential', async (context) => {
    const { login, events } = await openAnalysisIdentity(context);
    for (const request of [
      {},
      { user: 'ada' },
      { password: 'password' },
      { apikey: 'devkey:secret' },
      { user: '', password: '' },
      { oauth_provider: 'none' },
    ]) {
      await assert.rejects(login(request), {
        kind: 'unauthenticated',
        code: 'incomplete_login',
        response: '',
        message: 'Not enough information to proceed with authentication',
      });
    }
    assert.deepEqual(events, [], 'nobody tried to get in');
  });

  it('are refused in plain answers, and the audit log has them without their secrets', async (context) => {
    const { login, events } = await openAnalysisIdentity(context);
    for (const [request, code, message] of [
      [{ user: 'ada', password: 'wrong' }, 'invalid_login', 'Wrong username or password'],
      [{ user: 'nobody', password: 'wrong' }, 'invalid_login', 'Wrong username or password'],
      [{ user: 'ada', apikey: 'devkey:wrong' }, 'invalid_login', 'Invalid user or APIKey'],
      [{ user: 'ada', saml_token_id: 'x' }, 'saml_disabled', 'SAML login is disabled'],
      [{ user: 'ada', oauth_token_id: 'x' }, 'oauth_disabled', 'oAuth login is disabled'],
      [{ oauth_provider: 'none', oauth_token: 'x' }, 'oauth_disabled', 'oAuth login is disabled'],
    ] as const) {
      events.length = 0;
      await assert.rejects(login(request), { kind: 'unauthenticated', code, message, response: '' });
      assert.deepEqual(
        events.map((event) => [event.event, event.service, event.code]),
        [['login_failed', 'analysis', code]],
      );
      assert.doesNotMatch(JSON.stringify(events), /wrong|secret/);
    }
  });

  it('lock a user out after too many failures, regardless of what they send', async (context) => {
    const { login, authenticate, events } = await openAnalysisIdentity(context);
    for (let number = 0; number < 4; number += 1) await assert.rejects(login({ user: 'ada', password: 'wrong' }));
    await assert.rejects(login({ user: 'ada', apikey: 'nokey:wrong' }), { code: 'invalid_login' });
    for (const request of [
      { user: 'ada', password: 'wrong' },
      { user: 'ada', password: 'password' },
      { user: 'ada', apikey: 'devkey:secret' },
    ]) {
      await assert.rejects(login(request), {
        code: 'locked_out',
        response: '',
        message: 'Maximum password retry of 5 was reached. This account is locked for the next 60 seconds...',
      });
    }
    assert.deepEqual(events.filter(({ event }) => event === 'locked_out').length, 1);
    assert.equal((await authenticate(ADA)).username, 'ada', 'programs with a key go on');
  });

  it('by password are refused where passwords are off', async (context) => {
    const { login } = await openAnalysisIdentity(context, { 'auth.internal.enabled': false });
    await assert.rejects(login({ user: 'ada', password: 'password' }), {
      kind: 'unauthenticated',
      code: 'password_login_disabled',
      response: '',
    });
  });
});

describe('the analysis service while coordination is gone', () => {
  it('lets keys in with every request, and says of sessions and logins that no one knows', async (context) => {
    const { authenticate, login, coordination } = await openAnalysisIdentity(context);
    const opened = await login({ user: 'ada', password: 'password' });
    await coordination.close();
    assert.equal((await authenticate(ADA)).username, 'ada');
    await assert.rejects(authenticate({ user: 'ada', apikey: 'devkey:wrong' }), wrongKey);
    const gone = { kind: 'unavailable', code: 'sessions_unavailable', message: /API key/ };
    await assert.rejects(authenticate(opened), gone);
    await assert.rejects(login({ user: 'ada', apikey: 'devkey:secret' }), gone);
    await assert.rejects(login({ user: 'ada', password: 'password' }), { code: 'passwords_unavailable' });
    await assert.rejects(login({ user: 'ada', apikey: 'devkey:wrong' }), { code: 'invalid_login' });
  });
});
