import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AUDIT_EVENTS, type AuditEvent, type AuditEventName } from '../src/identity/audit/audit-log.ts';
import { CookieJar } from '../src/testing/identity/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import { askOperations } from '../src/testing/operations/ask-operations.ts';
import { type ScriptedServer, startScriptedServer } from '../src/testing/servers/scripted-server.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';
import { until } from '../src/testing/until.ts';
import { WebBrowser } from '../src/testing/web-browser.ts';

const ADMIN = 'admin:devkey:admin';
const PASSWORD = 'the-password-of-lin';
const LIN_AT_ANALYSIS = { 'x-user': 'lin', 'x-apikey': '' };

/** An action of a plugin. */
const BLOCK = { id: 'block', name: 'Block', classification: 'UNRESTRICTED', supported_types: [], params: {} };

let provider: TestIdentityProvider;
let program: TestProgram;
let plugin: ScriptedServer;
const events: AuditEvent[] = [];
/** Everything that must stand in no line. */
const secrets = new Set([PASSWORD, 'wrong-password', 'a-second-password', 'secret-of-triad-alerts']);

before(async () => {
  provider = await startIdentityProvider();
  plugin = await startScriptedServer(({ method }) => ({
    body: {
      api_response: method === 'GET' ? { block: BLOCK } : { outcome: 'success', format: 'markdown', output: '-' },
    },
  }));
  program = await startTestProgram({
    settings: {
      'auth.internal.max_failures': 2,
      'datastore.ilm.enabled': true,
      'enrichment.own_sources': '',
      'enrichment.external_sources': [{ name: 'feed', url: plugin.url }],
      'auth.oauth.enabled': true,
      'auth.oauth.providers': { main: provider.settings() },
    },
    onAudit: (event) => void events.push(event),
  });
});
after(async () => {
  await program.close();
  await provider[Symbol.asyncDispose]();
  await plugin[Symbol.asyncDispose]();
});

interface Step {
  /** Expected lines of the audit log, in this order; undefined fields are not compared. */
  readonly expected: readonly (Partial<AuditEvent> & { readonly event: AuditEventName })[];
  readonly act: () => Promise<unknown>;
}

const alerts = (path: string, request: TestRequest) => answered(program.request(path, request));
const analysis = (path: string, request: TestRequest = {}) =>
  answered(
    program.request(path, { service: 'analysis', ...request, headers: { ...LIN_AT_ANALYSIS, ...request.headers } }),
  );
const login = (json: object) => program.request('/api/v1/auth/login', { method: 'POST', json });
const by = 'admin';
const user = 'lin';
/** The session and the key that later steps use. */
const kept = { session: '', keyId: 'mine+lin', permission: '' };

/** A day in the life of an account; each step stands on those before it. */
const STEPS: Readonly<Record<string, Step>> = {
  'an administrator loads demo alerts': {
    expected: [{ event: 'demo_loaded', service: 'operations', by }],
    act: () => askOperations(program, '/v1/first-steps/demo-alerts', { method: 'POST', basic: ADMIN }),
  },
  'an administrator makes an account': {
    expected: [{ event: 'user_created', service: 'alerts', user, by, after: ['user'] }],
    act: () =>
      alerts('/api/v1/user/lin', {
        method: 'POST',
        basic: ADMIN,
        json: { name: 'Lin', new_pass: PASSWORD, type: ['user'] },
      }),
  },
  'gives it another name and type': {
    expected: [
      { event: 'roles_changed', service: 'alerts', user, by, before: ['user'], after: ['user', 'admin'] },
      { event: 'user_changed', service: 'alerts', user, by, fields: ['name'] },
    ],
    act: () =>
      alerts('/api/v1/user/lin', { method: 'PUT', basic: ADMIN, json: { name: 'Lin L.', type: ['user', 'admin'] } }),
  },
  'switches it off': {
    expected: [{ event: 'user_disabled', service: 'alerts', user, by }],
    act: () => alerts('/api/v1/user/lin', { method: 'PUT', basic: ADMIN, json: { is_active: false } }),
  },
  'and on again': {
    expected: [{ event: 'user_enabled', service: 'alerts', user, by }],
    act: () => alerts('/api/v1/user/lin', { method: 'PUT', basic: ADMIN, json: { is_active: true } }),
  },
  'they sign in': {
    expected: [{ event: 'login_succeeded', service: 'alerts', user, method: 'password' }],
    act: async () => secret((await login({ user, password: PASSWORD })).json.api_response.app_token.split(':')[1]),
  },
  'sign in with the wrong password, until the lock-out': {
    expected: [
      { event: 'login_failed', service: 'alerts', user: 'huey', method: 'password', code: 'invalid_login' },
      { event: 'locked_out', service: 'alerts', user: 'huey' },
      { event: 'login_failed', service: 'alerts', user: 'huey', method: 'password', code: 'invalid_login' },
    ],
    act: async () => {
      for (const password of ['wrong-password', 'wrong-password again']) await login({ user: 'huey', password });
    },
  },
  'make a key': {
    expected: [{ event: 'api_key_created', service: 'alerts', user, key: 'mine', after: ['R', 'W'] }],
    act: async () => {
      const made = await alerts('/api/v1/auth/apikey', {
        method: 'POST',
        basic: `lin:${PASSWORD}`,
        json: { name: 'mine', priv: 'RW' },
      });
      LIN_AT_ANALYSIS['x-apikey'] = made.json.api_response.apikey;
      secret(made.json.api_response.apikey.split(':')[1]);
    },
  },
  'ask for one that may do more than any': {
    expected: [{ event: 'api_key_refused', service: 'alerts', user, code: 'invalid_api_key_privileges' }],
    act: () =>
      program.request('/api/v1/auth/apikey', {
        method: 'POST',
        basic: `lin:${PASSWORD}`,
        json: { name: 'more', priv: 'RWX' },
      }),
  },
  'ask with half of it': {
    expected: [{ event: 'credential_refused', service: 'analysis', user, method: 'api_key', code: 'invalid_login' }],
    act: () =>
      program.request('/api/', {
        service: 'analysis',
        headers: { ...LIN_AT_ANALYSIS, 'x-apikey': 'mine:wrong-password' },
      }),
  },
  'sign in at the analysis service': {
    expected: [{ event: 'login_succeeded', service: 'analysis', user, method: 'password' }],
    act: async () => {
      const answer = await analysis('/api/v4/auth/login/', { method: 'POST', json: { user, password: PASSWORD } });
      const cookies = new CookieJar(answer);
      kept.session = cookies.header;
      secret(cookies.get('session'));
      secret(cookies.get('XSRF-TOKEN'));
    },
  },
  'change what the key may do': {
    expected: [{ event: 'api_key_changed', service: 'analysis', user, key: 'mine' }],
    act: () =>
      inSession('/api/v4/apikey/add/?keyid=mine%2Blin', {
        method: 'PUT',
        json: { key_name: 'mine', priv: ['R'], uname: user, expiry_ts: null },
      }),
  },
  'allow a client to call in their name': {
    expected: [{ event: 'impersonation_allowed', service: 'analysis', user, azp: 'user' }],
    act: async () => {
      const query = new URLSearchParams({
        client_id: 'user',
        redirect_url: 'https://client.example/back',
        scope: 'r',
        server: 'client',
      });
      // The page on which the user agreed.
      const headers = { referer: 'https://client.example/agree' };
      const answer = await inSession(`/api/v4/auth/obo_token/?${query}`, { headers });
      const token = new URL(answer.headers.get('location') ?? '').searchParams.get('token') ?? '';
      secret(token);
      kept.permission = token;
    },
  },
  'which it does': {
    expected: [{ event: 'on_behalf_of_call', service: 'analysis', user, azp: 'user' }],
    act: async () => {
      await program.foundation.users.update('user', [{ op: 'set', path: 'can_impersonate', value: true }]);
      await answered(
        program.request('/api/v4/help/constants/', {
          service: 'analysis',
          headers: { 'x-user': 'user', 'x-apikey': 'devkey:user', authorization: `Bearer ${kept.permission}` },
        }),
      );
    },
  },
  'take that back': {
    expected: [{ event: 'impersonation_withdrawn', service: 'analysis', user }],
    act: async () => {
      const apps = Object.keys((await program.foundation.users.get(user))?.apps ?? {});
      await inSession(`/api/v4/auth/obo_token/${apps[0]}/`, { method: 'DELETE' });
    },
  },
  'end the session': {
    expected: [{ event: 'logout', service: 'analysis', user }],
    act: () => inSession('/api/v4/auth/logout/'),
  },
  'end a session at the web interface from another one': {
    expected: [
      { event: 'login_succeeded', service: 'web', user, method: 'password' },
      { event: 'login_succeeded', service: 'web', user, method: 'password' },
      { event: 'sessions_ended', service: 'web', user, target: 'web' },
    ],
    act: async () => {
      const [here, there] = [new WebBrowser(program.urls.web), new WebBrowser(program.urls.web)];
      await there.signIn('lin', PASSWORD);
      await here.signIn('lin', PASSWORD);
      for (const { cookie } of [here, there]) secret(cookie.split('=')[1]);
      assert.equal((await here.ask('/session/mine', { method: 'DELETE' })).status, 200);
    },
  },
  'revoke the key': {
    expected: [{ event: 'api_key_revoked', service: 'alerts', user, key: 'mine' }],
    act: () => alerts('/api/v1/auth/apikey/mine', { method: 'DELETE', basic: `lin:${PASSWORD}` }),
  },
  'let an agent act for them': {
    expected: [
      { event: 'api_key_created', service: 'alerts', user, key: 'impersonate_agent' },
      { event: 'impersonated', service: 'alerts', user, impersonator: 'admin', key: 'impersonate_agent' },
    ],
    act: async () => {
      const json = { name: 'agent', priv: 'RI', agents: ['admin'] };
      const made = await alerts('/api/v1/auth/apikey', { method: 'POST', basic: `lin:${PASSWORD}`, json });
      const key = made.json.api_response.apikey;
      secret(key.split(':')[1]);
      await alerts('/api/v1/user/whoami', { basic: ADMIN, impersonate: `lin:${key}` });
    },
  },
  'sign in with a recovery code': {
    expected: [
      { event: 'user_changed', service: 'analysis', user, fields: ['recovery_codes'] },
      { event: 'recovery_code_used', service: 'analysis', user },
      { event: 'login_succeeded', service: 'analysis', user, method: 'password' },
      { event: 'user_changed', service: 'analysis', user, fields: ['security_tokens', 'recovery_codes'] },
    ],
    act: async () => {
      const { users, analysisIdentity } = program.foundation;
      await users.update(user, [{ op: 'set', path: 'security_tokens', value: { yubi: 'x' } }]);
      const { factorAccounts } = analysisIdentity;
      const origin = { service: 'analysis', address: '127.0.0.1', requestId: 'r', call: 'POST /' } as const;
      const [otp = ''] = await factorAccounts.renewRecoveryCodes(user, origin);
      secret(otp);
      await analysis('/api/v4/auth/login/', { method: 'POST', json: { user, password: PASSWORD, otp } });
      await factorAccounts.removeAll(user, origin);
    },
  },
  'set another password': {
    expected: [{ event: 'password_changed', service: 'alerts', user }],
    act: () =>
      alerts('/api/v1/user/lin', { method: 'PUT', basic: `lin:${PASSWORD}`, json: { new_pass: 'a-second-password' } }),
  },
  'a user signs in through a provider': {
    expected: [
      { event: 'user_created', service: 'alerts', user: 'hopper', provider: 'main', subject: 'hopper' },
      { event: 'token_accepted', service: 'alerts', user: 'hopper', provider: 'main', subject: 'hopper' },
    ],
    act: async () => {
      const bearer = secret(await provider.accessToken('hopper', 'alerts'));
      for (let request = 0; request < 3; request += 1) await alerts('/api/v1/user/whoami', { bearer });
    },
  },
  'whose address had an account': {
    expected: [
      { event: 'account_linked', service: 'alerts', user: 'goose', provider: 'main', fields: ['password'] },
      { event: 'token_accepted', service: 'alerts', user: 'goose', provider: 'main', azp: 'triad-alerts' },
    ],
    act: async () => {
      const { email } = (await program.foundation.users.get('goose')) ?? {};
      const bearer = secret(await provider.accessToken('stranger', 'alerts', { email }));
      await alerts('/api/v1/user/whoami', { bearer });
    },
  },
  'whose token is exchanged': {
    expected: [{ event: 'token_exchanged', service: 'alerts', user: 'hopper', provider: 'main', target: 'analysis' }],
    act: async () => {
      const token = secret(await provider.accessToken('hopper', 'alerts'));
      secret((await program.foundation.alertsExchange.exchange(token, 'analysis', 'hopper')) ?? undefined);
    },
  },
  'or not': {
    expected: [{ event: 'token_exchange_failed', service: 'alerts', user: 'hopper', target: 'nowhere' }],
    act: async () => {
      const token = secret(await provider.accessToken('hopper', 'alerts'));
      assert.equal(await program.foundation.alertsExchange.exchange(token, 'nowhere', 'hopper'), null);
    },
  },
  'a new alert runs an action': {
    expected: [{ event: 'action_triggered', service: 'alerts', user: 'admin', trigger: 'create' }],
    act: async () => {
      const operations = [{ operation_id: 'add_label', data_json: '{"label":"audited"}' }];
      const json = { name: 'Label', query: 'howler.analytic:Audited', triggers: ['create'], operations };
      await alerts('/api/v1/action?refresh=wait_for', { method: 'POST', basic: ADMIN, json });
      await alerts('/api/v1/hit', { method: 'POST', basic: ADMIN, json: [{ 'howler.analytic': 'Audited' }] });
      await until('the action ran', () => events.some(({ event }) => event === 'action_triggered'));
    },
  },
  'a source of enrichment is called': {
    expected: [
      {
        event: 'source_called',
        service: 'enrichment',
        user: 'admin',
        source: 'feed',
        operation: 'run_action block',
        values: ['domain example.org'],
        count: 1,
      },
    ],
    act: () =>
      program.request('/api/v1/actions/execute/feed/block', {
        service: 'enrichment',
        method: 'POST',
        basic: ADMIN,
        json: { selector: { type: 'domain', value: 'example.org' } },
      }),
  },
  'a source is registered': {
    expected: [{ event: 'source_registered', service: 'enrichment', user: 'admin', source: 'late' }],
    act: () =>
      program.request('/api/v1/registration/register/', {
        service: 'enrichment',
        method: 'POST',
        basic: ADMIN,
        json: { name: 'late', url: plugin.url },
      }),
  },
  'and removed': {
    expected: [{ event: 'source_removed', service: 'enrichment', user: 'admin', source: 'late' }],
    act: () => program.request('/api/v1/registration/late', { service: 'enrichment', method: 'DELETE', basic: ADMIN }),
  },
  'an administrator runs a job': {
    expected: [{ event: 'job_started', service: 'operations', by, target: 'view_cleanup' }],
    act: () => askOperations(program, '/v1/jobs/view_cleanup/run', { method: 'POST', basic: ADMIN }),
  },
  'and begins a generation': {
    expected: [{ event: 'generation_begun', service: 'operations', by, target: 'hit' }],
    act: () => askOperations(program, '/v1/indices/hit/generations', { method: 'POST', basic: ADMIN }),
  },
  'has failed sign-ins forgotten': {
    expected: [{ event: 'lock_out_lifted', service: 'operations', user, by, target: '127.0.0.1' }],
    act: () => askOperations(program, '/v1/lock-outs?user=lin&address=127.0.0.1', { method: 'DELETE', basic: ADMIN }),
  },
  'ends all sessions of a user': {
    expected: [{ event: 'sessions_ended', service: 'operations', user, by }],
    act: () => askOperations(program, '/v1/users/lin/sessions', { method: 'DELETE', basic: ADMIN }),
  },
  'the account is deleted': {
    expected: [{ event: 'user_deleted', service: 'alerts', user, by }],
    act: () => alerts('/api/v1/user/lin', { method: 'DELETE', basic: ADMIN }),
  },
};

describe('the audit log of a day', () => {
  for (const [what, { expected, act }] of Object.entries(STEPS)) {
    it(`has it when ${what}`, async () => {
      const from = events.length;
      await act();
      assert.deepEqual(
        events.slice(from).map((event, at) => shownOf(event, expected[at] ?? event)),
        expected,
      );
    });
  }

  it('has every kind of event that is documented', () => {
    const seen = new Set(events.map(({ event }) => event));
    assert.deepEqual(
      Object.keys(AUDIT_EVENTS).filter((name) => !seen.has(name as AuditEventName)),
      [],
    );
  });

  it('says of every event where it came from', () => {
    for (const { event, address, requestId, call } of events) {
      // Of an account that is locked and of a token that is exchanged: beside them stands the line of the request.
      if (
        [
          'locked_out',
          'recovery_code_used',
          'token_exchanged',
          'token_exchange_failed',
          'action_triggered',
          'source_called',
        ].includes(event)
      )
        continue;
      assert.equal(address, '127.0.0.1', event);
      assert.ok(requestId !== undefined && call !== undefined, event);
    }
  });

  it('has no secret', () => {
    const text = JSON.stringify(events);
    assert.ok(secrets.size > 10);
    for (const one of secrets) assert.ok(!text.includes(one), `a secret is in the audit log: ${one}`);
  });
});

async function inSession(path: string, request: TestRequest = {}): Promise<TestAnswer> {
  const token = /XSRF-TOKEN=([^;]+)/.exec(kept.session)?.[1] ?? '';
  const headers = { cookie: kept.session, 'x-xsrf-token': token, ...request.headers };
  return answered(program.request(path, { service: 'analysis', ...request, headers }));
}

async function answered(request: Promise<TestAnswer>): Promise<TestAnswer> {
  const answer = await request;
  assert.ok(answer.status < 400, `${answer.status} ${answer.text}`);
  return answer;
}

/** Remembers what must not be written. */
function secret(text: string | undefined): string {
  if (text === undefined || text.length < 8) throw new Error(`this is not a secret: ${text}`);
  secrets.add(text);
  return text;
}

function shownOf(event: AuditEvent, like: object): object {
  return Object.fromEntries(Object.keys(like).map((name) => [name, event[name as keyof AuditEvent]]));
}
