import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate } from 'otplib';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { CookieJar } from '../../testing/identity/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { saveUser, storedKey } from '../../testing/identity/open-test-identity.ts';
import { startTestProgram, type TestAnswer, type TestProgram } from '../../testing/start-test-program.ts';

const LOGIN = '/api/v4/auth/login/';
const WHOAMI = '/api/v4/user/whoami/';

/** Cookies of a browser. */
class Browser {
  readonly cookies = new CookieJar();
  readonly #program: TestProgram;

  constructor(program: TestProgram) {
    this.#program = program;
  }

  async send(path: string, { method = 'GET', json, headers = {} }: Sent = {}): Promise<TestAnswer> {
    const cookie = this.cookies.header;
    const answer = await this.#program.request(path, {
      service: 'analysis',
      method,
      headers: { ...(cookie === '' ? {} : { cookie }), 'user-agent': 'browser', ...headers },
      ...(json === undefined ? {} : { json }),
    });
    this.cookies.keep(answer);
    return answer;
  }

  /** With the XSRF token, as pages send it. */
  get(path: string): Promise<TestAnswer> {
    return this.send(path, { headers: this.cookies.sessionHeaders });
  }
}

interface Sent {
  readonly method?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let provider: TestIdentityProvider;
let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  provider = await startIdentityProvider();
  program = await startTestProgram({
    demo: 'none',
    settings: {
      'auth.oauth.enabled': true,
      'auth.oauth.strict_apikeys': true,
      'auth.oauth.providers': {
        main: provider.settings({ auto_create: true }),
        closed: provider.settings({ auto_create: false }),
      },
    },
    onAudit: (event) => void events.push(event),
  });
  const { analysis } = program.urls;
  provider.allowRedirects(['main', 'closed'].map((name) => `${analysis}/oauth/${name}/`));
  const { users } = program.foundation;
  await saveUser(users, 'grace', { apikeys: { reader: storedKey('secret', ['R']) } });
});
after(async () => {
  await program.close();
  await provider[Symbol.asyncDispose]();
});

describe('the login of the analysis service', () => {
  it('gives out a cookie that scripts cannot read and one that they can, for encrypted connections alone', async () => {
    const send = (headers: Record<string, string>) =>
      program.request(LOGIN, {
        service: 'analysis',
        method: 'POST',
        json: { user: 'grace', password: 'password' },
        headers,
      });
    const plain = await send({});
    assert.deepEqual(plain.json.api_response, { username: 'grace', roles_limit: null, session_duration: 3600 });
    assert.equal(plain.headers.get('cache-control'), 'no-store');
    const [session = '', xsrf = ''] = plain.headers.getSetCookie();
    assert.match(session, /^session=[A-Za-z0-9_-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(xsrf, /^XSRF-TOKEN=[A-Za-z0-9_-]{43}; Max-Age=3600; Path=\/; SameSite=Lax$/);
    const encrypted = await send({ 'x-forwarded-proto': 'https' });
    for (const line of encrypted.headers.getSetCookie()) assert.match(line, /; Secure/);
    const byKey = await program.request(`${LOGIN}?user=grace&apikey=reader:secret`, { service: 'analysis' });
    for (const line of byKey.headers.getSetCookie()) assert.match(line, /; SameSite=Strict$/);
  });

  it('takes its arguments as JSON, form or address, and codes as numbers', async () => {
    const { users } = program.foundation;
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    await saveUser(users, 'hedy', { otp_sk: secret });
    const code = await generate({ secret });
    const browser = new Browser(program);
    const json = { user: 'hedy', password: 'password', otp: Number(code) };
    assert.equal((await browser.send(LOGIN, { method: 'POST', json })).status, 200, code);
    assert.equal((await browser.send(`${LOGIN}?user=grace&apikey=reader:secret`)).status, 200);
    const wrong = await browser.send(LOGIN, { method: 'POST', json: { user: ['grace'], password: 'password' } });
    assert.equal(wrong.status, 400);
    const list = await browser.send(LOGIN, { method: 'POST', json: ['grace', 'password'] });
    assert.equal(list.status, 400);
  });

  it('ends by logout, which takes the cookies back', async () => {
    const browser = new Browser(program);
    await browser.send(LOGIN, { method: 'POST', json: { user: 'grace', password: 'password' } });
    assert.equal((await browser.get(WHOAMI)).json.api_response.username, 'grace');
    const stolen = browser.cookies.sessionHeaders;
    assert.deepEqual((await browser.send('/api/v4/auth/logout/')).json.api_response, { success: true });
    assert.equal(browser.cookies.header, '');
    const answer = await new Browser(program).send(WHOAMI, { headers: stolen });
    assert.deepEqual([answer.status, answer.json.api_error_message], [401, 'Session not found']);
  });
});

describe('a sign-in at the analysis service through an identity provider', () => {
  /** The parameters that the page gets from the provider. */
  async function answered(browser: Browser, person: string, name = 'main'): Promise<URLSearchParams> {
    const sent = await browser.send(`${LOGIN}?oauth_provider=${name}`);
    assert.equal(sent.status, 302, sent.text);
    const address = new URL(sent.headers.get('location') ?? '');
    assert.equal(address.origin, provider.issuer);
    assert.equal(address.searchParams.get('redirect_uri'), `${program.urls.analysis}/oauth/${name}/`);
    const back = await provider.signIn(address, person);
    assert.equal(back.pathname, `/oauth/${name}/`);
    const answer = new URLSearchParams(back.searchParams);
    answer.set('provider', name);
    return answer;
  }

  it('gives a session with all roles of the account, once, to anyone who began it', async () => {
    const browser = new Browser(program);
    const answer = await answered(browser, 'lovelace');
    const other = await new Browser(program).send(`/api/v4/auth/oauth/?${answer}`);
    assert.deepEqual([other.status, other.json.api_response], [401, { err_code: 1 }]);

    const again = await answered(browser, 'lovelace');
    const { status, json } = await browser.send(`/api/v4/auth/oauth/?${again}`);
    assert.equal(status, 200, json.api_error_message);
    const { username, oauth_token_id, avatar, email_adr } = json.api_response;
    assert.equal(email_adr, 'ada.lovelace@example.org');
    assert.ok(avatar);

    const ticket = { user: username, oauth_token_id };
    const forged = { ...ticket, oauth_token_id: 'x'.repeat(43) };
    for (const wrong of [forged, { ...ticket, user: 'grace' }]) {
      const refused = await browser.send(LOGIN, { method: 'POST', json: wrong });
      assert.deepEqual([refused.status, refused.json.api_response], [401, '']);
    }
    const opened = await browser.send(LOGIN, { method: 'POST', json: ticket });
    assert.deepEqual(opened.json.api_response, { username, roles_limit: null, session_duration: 3600 });
    const me = await browser.get(WHOAMI);
    assert.equal(me.json.api_response.username, username);
    assert.ok(me.json.api_response.roles.includes('apikey_access'));
    assert.equal((await browser.send(WHOAMI)).status, 403, 'without the XSRF token');
    const made = await browser.send('/api/v4/apikey/add/', {
      method: 'PUT',
      json: { key_name: 'endless', priv: 'R', expiry_ts: null },
      headers: browser.cookies.sessionHeaders,
    });
    assert.deepEqual([made.status, made.json.api_error_message], [400, 'API keys must have an expiry date.']);
    const replayed = await browser.send(LOGIN, { method: 'POST', json: ticket });
    assert.equal(replayed.status, 401, 'used');

    const succeeded = events.filter(({ event, user }) => event === 'login_succeeded' && user === username);
    const written = succeeded.map(({ method, provider: name, subject, azp }) => ({ method, name, subject, azp }));
    const line = { method: 'oauth', name: 'main', subject: 'lovelace', azp: 'triad-analysis' };
    assert.deepEqual(written, [line], 'one line for the session');
  });

  it('tells the page whether to try again, or that there is no account', async () => {
    const browser = new Browser(program);
    const answer = await answered(browser, 'hopper', 'closed');
    const missing = await browser.send(`/api/v4/auth/oauth/?${answer}`);
    assert.deepEqual([missing.status, missing.json.api_response], [403, { err_code: 3 }]);
    for (const [query, status, response] of [
      ['provider=main&code=x&state=y', 401, { err_code: 1 }],
      ['provider=main&error=access_denied', 401, { err_code: 1 }],
      ['provider=none&code=x&state=y', 401, { err_code: 0 }],
      ['', 401, { err_code: 0 }],
    ] as const) {
      const refused = await browser.send(`/api/v4/auth/oauth/?${query}`);
      assert.deepEqual([refused.status, refused.json.api_response], [status, response], query);
    }
    const unknown = await browser.send(`${LOGIN}?oauth_provider=none`);
    assert.equal(unknown.status, 401);
  });

  it('with an access token gives a session that is limited to reading and writing', async () => {
    const browser = new Browser(program);
    const oauth_token = await provider.accessToken('lovelace', 'analysis');
    const json = { oauth_provider: 'main', oauth_token };
    const opened = await browser.send(LOGIN, { method: 'POST', json });
    assert.equal(opened.status, 200, opened.text);
    assert.ok(opened.json.api_response.roles_limit.includes('submission_create'));
    assert.ok(!opened.json.api_response.roles_limit.includes('apikey_access'));
    assert.equal((await browser.send(WHOAMI)).status, 200, 'it needs no XSRF token');
    const refused = await browser.send(LOGIN, { method: 'POST', json: { ...json, oauth_token: `${oauth_token}x` } });
    assert.deepEqual([refused.status, refused.json.api_response], [401, '']);
  });
});
