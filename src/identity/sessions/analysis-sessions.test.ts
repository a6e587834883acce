import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import { rolesOfPrivileges } from '../accounts/effective-roles.ts';
import { AnalysisIdentity } from '../analysis-identity.ts';
import { VerifiedCredentials } from '../verified-credentials.ts';

describe('a session', () => {
  it('of a password has all roles of the account, and needs its XSRF token', async (context) => {
    const { authenticate, login } = await openAnalysisIdentity(context);
    const { session, xsrfToken, rolesLimit, sessionDuration } = await login({ user: 'ada', password: 'password' });
    assert.deepEqual([rolesLimit, sessionDuration], [undefined, 3600]);
    const actor = await authenticate({ session, xsrfToken });
    assert.deepEqual([actor.username, actor.method, actor.roles.size, actor.isAdmin], ['ada', 'session', 37, true]);
    assert.equal(actor.hasFullScope, true);
    for (const wrong of [undefined, '', `${xsrfToken}x`, `${xsrfToken.slice(0, -1)}é`, 'x'.repeat(xsrfToken.length)]) {
      await assert.rejects(authenticate({ session, xsrfToken: wrong }), {
        kind: 'forbidden',
        code: 'invalid_xsrf_token',
        message: 'Invalid XSRF token',
      });
    }
    assert.equal((await authenticate({ session, checkXsrf: false })).username, 'ada', 'some routes do without');
  });

  it('of an API key has the roles of the key, needs no XSRF token, and goes with the key', async (context) => {
    const { authenticate, login, apiKeys } = await openAnalysisIdentity(context);
    const { session, rolesLimit } = await login({ user: 'ada', apikey: 'readonly:secret' });
    assert.deepEqual(rolesLimit, rolesOfPrivileges(['R']));
    assert.deepEqual([...(await authenticate({ session })).roles], rolesOfPrivileges(['R']));
    await apiKeys.delete('ada', 'readonly');
    await assert.rejects(authenticate({ session }), { code: 'session_expired', message: 'Session expired' });
  });

  it('is good for the address and the user agent that opened it, as far as the settings say', async (context) => {
    const { authenticate, login } = await openAnalysisIdentity(context);
    const { session, xsrfToken } = await login({ user: 'ada', password: 'password' });
    await assert.rejects(authenticate({ session, xsrfToken, address: '192.0.2.2' }), {
      code: 'session_moved',
      message: 'Invalid source IP for this session',
    });
    for (const userAgent of ['other', undefined]) {
      await assert.rejects(authenticate({ session, xsrfToken, userAgent }), {
        code: 'session_moved',
        message: 'Invalid user agent for this session',
      });
    }
    const lenient = await openAnalysisIdentity(context, {
      'analysis.ui.validate_session_ip': false,
      'analysis.ui.validate_session_useragent': false,
    });
    const opened = await lenient.login({ user: 'ada', password: 'password' });
    const moved = { session: opened.session, xsrfToken: opened.xsrfToken, address: '192.0.2.2', userAgent: undefined };
    assert.equal((await lenient.authenticate(moved)).username, 'ada');
  });

  it('ends by logout, at its time, and with the password that opened it', async (context) => {
    const { authenticate, login, analysisIdentity, accounts } = await openAnalysisIdentity(context);
    const ended = { code: 'session_not_found' };
    const first = await login({ user: 'ada', password: 'password' });
    const second = await login({ user: 'ada', password: 'password' });
    assert.notEqual(first.session, second.session, 'nobody can be given a session that somebody else knows');
    const actor = await authenticate(first);
    const from = { address: '192.0.2.1', userAgent: 'browser', requestId: 'r2', call: 'GET /api/v4/auth/logout/' };
    await analysisIdentity.logout(actor, presented({ ...from, ...first, checkXsrf: false }));
    await assert.rejects(authenticate(first), ended);
    assert.equal((await authenticate(second)).username, 'ada');
    await accounts.setPassword('ada', 'another password');
    await assert.rejects(authenticate(second), { code: 'session_expired' });
  });

  it('of an account that is switched off or gone is refused', async (context) => {
    const { authenticate, login, users } = await openAnalysisIdentity(context);
    await users.update('ada', [{ op: 'set', path: 'is_active', value: false }]);
    const opened = await login({ user: 'ada', password: 'password' });
    await assert.rejects(authenticate(opened), {
      kind: 'forbidden',
      code: 'account_disabled',
      message: 'User ada is disabled',
    });
    assert.equal((await authenticate({ ...opened, allowInactive: true })).username, 'ada');
    await users.delete('ada');
    await assert.rejects(authenticate(opened), { code: 'unknown_user', message: 'User ada does not exists' });
  });

  it('is known to other processes, and its end within a second', async (context) => {
    const { authenticate, login, identityParts, clock, analysisIdentity } = await openAnalysisIdentity(context);
    const other = new AnalysisIdentity({ ...identityParts, credentials: new VerifiedCredentials() });
    const opened = await login({ user: 'ada', password: 'password' });
    const credentials = presented({ userAgent: 'browser', ...opened });
    assert.equal((await other.authenticate(credentials)).username, 'ada');
    await analysisIdentity.logout(await authenticate(opened), credentials);
    clock.now += 1000;
    await assert.rejects(other.authenticate(credentials), { code: 'session_not_found' });
  });

  it('is stored without what the browser keeps', async (context) => {
    const { login, coordination } = await openAnalysisIdentity(context);
    const keys: string[] = [];
    const { put } = coordination.tokens;
    coordination.tokens.put = (key, value, lifetime) => {
      keys.push(`${key} ${JSON.stringify(value)}`);
      return put.call(coordination.tokens, key, value, lifetime);
    };
    const { session } = await login({ user: 'ada', password: 'password' });
    assert.equal(keys.length, 1);
    assert.ok(!keys.join().includes(session));
  });
});
