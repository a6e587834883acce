import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { askOperations } from '../../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({ onAudit: (event) => void events.push(event) });
});
after(() => program.close());

const credentials = async (user: string) => (await askOperations(program, `/v1/users/${user}/credentials`)).json;
const end = (path: string) => askOperations(program, `/v1/users/${path}`, { method: 'DELETE' });
const signIn = async (user: string) => {
  const alerts = await program.request('/api/v1/auth/login', { method: 'POST', json: { user, password: user } });
  const analysis = await program.request('/api/v4/auth/login/', {
    service: 'analysis',
    method: 'POST',
    json: { user, password: user },
    headers: { 'user-agent': 'browser of the test' },
  });
  const cookie = analysis.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const bearer: string = alerts.json.api_response.app_token;
  return {
    atAlerts: async () => (await program.request('/api/v1/user/whoami', { bearer })).status,
    atAnalysis: async () => {
      const headers = {
        cookie: cookie.join('; '),
        'user-agent': 'browser of the test',
        'x-xsrf-token': /XSRF-TOKEN=(.*)/.exec(cookie.join('\n'))?.[1] ?? '',
      };
      return (await program.request('/api/v4/user/whoami/', { service: 'analysis', headers })).status;
    },
    secrets: [bearer.split(':')[1] ?? '', /session=([^;\n]*)/.exec(cookie.join('\n'))?.[1] ?? ''],
  };
};

describe('the sessions of a user', () => {
  it('are listed without their secrets, and ended one by one', async () => {
    const [mine, other] = [await signIn('user'), await signIn('huey')];
    const { sessions } = await credentials('user');
    assert.deepEqual(sessions.map((one: { service: string }) => one.service).sort(), ['alerts', 'analysis']);
    const [analysis, alerts] = ['analysis', 'alerts'].map((name) =>
      sessions.find((one: { service: string }) => one.service === name),
    );
    assert.deepEqual(
      [analysis.address, analysis.user_agent, analysis.opened_by],
      ['127.0.0.1', 'browser of the test', 'password'],
    );
    for (const { opened_at, expires_at } of sessions) {
      assert.ok(Math.abs(Date.parse(opened_at) - Date.now()) < 60_000, opened_at);
      assert.ok(Date.parse(expires_at) > Date.now());
    }
    for (const secret of mine.secrets) assert.ok(secret !== '' && !JSON.stringify(sessions).includes(secret));

    assert.equal((await end(`huey/sessions/analysis/${analysis.id}`)).status, 404, 'the session of another user');
    assert.equal(await mine.atAnalysis(), 200);
    assert.equal((await end(`user/sessions/analysis/${analysis.id}`)).status, 204);
    assert.equal(await mine.atAnalysis(), 401);
    assert.equal(await mine.atAlerts(), 200);
    assert.equal((await end(`user/sessions/alerts/${alerts.id}`)).status, 204);
    assert.equal(await mine.atAlerts(), 401);
    assert.deepEqual([await other.atAlerts(), await other.atAnalysis()], [200, 200]);
    const again = await end(`user/sessions/alerts/${alerts.id}`);
    assert.deepEqual([again.status, again.json.error.code], [404, 'session_missing']);
    assert.deepEqual((await credentials('user')).sessions, []);
    const ended = events.filter(({ event }) => event === 'sessions_ended');
    assert.deepEqual(
      ended.map(({ user, by, target }) => [user, by, target]),
      [
        ['user', 'admin', 'analysis'],
        ['user', 'admin', 'alerts'],
      ],
    );
  });

  it('of a browser are listed with its last use, and ended', async () => {
    const browser = new WebBrowser(program.urls.web);
    await browser.signIn('goose');
    const whoami = async () => (await browser.ask('/services/alerts/api/v1/user/whoami')).status;
    assert.equal(await whoami(), 200);
    const [session, ...others] = (await credentials('goose')).sessions;
    assert.deepEqual([session.service, session.opened_by, others], ['web', 'password', []]);
    assert.ok(Date.parse(session.used_at) >= Date.parse(session.opened_at));
    assert.ok(!JSON.stringify(session).includes(browser.cookie.split('=')[1] ?? 'no cookie'));
    assert.equal((await end(`goose/sessions/web/${session.id}`)).status, 204);
    assert.equal(await whoami(), 401);
  });

  it('of a browser that a revoked key opened are not listed: they are void', async () => {
    const browser = new WebBrowser(program.urls.web);
    assert.equal((await browser.signInByKey('huey', 'devkey:huey')).status, 200);
    const ofBrowsers = async () =>
      (await credentials('huey')).sessions.filter(({ service }: { service: string }) => service === 'web').length;
    assert.equal(await ofBrowsers(), 1);
    assert.equal((await end('huey/api-keys/devkey')).status, 204);
    assert.equal(await ofBrowsers(), 0);
  });

  it('are ended all at once', async () => {
    const mine = await signIn('user');
    assert.equal((await end('user/sessions')).status, 204);
    assert.deepEqual([await mine.atAlerts(), await mine.atAnalysis()], [401, 401]);
    assert.deepEqual((await credentials('user')).sessions, []);
    assert.equal((await end('no-such-user/sessions')).status, 404);
    const service = await end('user/sessions/constructor/abc');
    assert.deepEqual([service.status, service.json.error.code], [404, 'session_missing']);
  });
});

describe('the API keys of a user', () => {
  it('are listed without their secrets, and revoked at all services', async () => {
    const { api_keys: keys } = await credentials('user');
    const devkey = keys.find((one: { name: string }) => one.name === 'devkey');
    assert.deepEqual([devkey.privileges, devkey.expires_at], [['R', 'W', 'E'], null]);
    assert.ok(!JSON.stringify(keys).includes('hmac'));
    const status = async () => (await program.request('/api/v1/user/whoami', { basic: 'user:devkey:user' })).status;
    assert.equal(await status(), 200);
    assert.equal((await end('user/api-keys/devkey')).status, 204);
    assert.equal(await status(), 401);
    const again = await end('user/api-keys/devkey');
    assert.deepEqual([again.status, again.json.error.code], [404, 'api_key_missing']);
    const { user, by, key } = events.findLast(({ event }) => event === 'api_key_revoked') ?? {};
    assert.deepEqual([user, by, key], ['user', 'admin', 'devkey']);
  });
});

describe('the second factors of a user', () => {
  it('are removed by an administrator, with an audit line, for a user who lost them', async () => {
    const { users } = program.foundation;
    await users.update('huey', [
      { op: 'set', path: 'otp_sk', value: 'JBSWY3DPEHPK3PXP' },
      { op: 'set', path: 'recovery_codes', value: ['digest'] },
    ]);
    const state = async () => (await askOperations(program, '/v1/users/huey')).json.has_second_factor;
    assert.equal(await state(), true);
    assert.equal((await end('huey/second-factors')).status, 204);
    assert.equal(await state(), false);
    assert.equal((await users.get('huey'))?.recovery_codes?.length ?? 0, 0);
    const { event, user, by, service, fields } = events.at(-1) ?? {};
    assert.deepEqual([event, user, by, service], ['user_changed', 'huey', 'admin', 'operations']);
    assert.deepEqual(fields, ['otp_sk', 'recovery_codes']);
    assert.equal((await end('no-such-user/second-factors')).status, 404);
  });

  it('are those of others: the own ones need a proof that their user is there', async () => {
    const own = await end('admin/second-factors');
    assert.deepEqual([own.status, own.json.error.code], [403, 'account_page_required']);
  });
});
