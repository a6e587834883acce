import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type RawRequest, sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, changesBy, pathOf, probeOf, routesOf, startAttackFixture } from './attack-fixture.ts';

const AGENT = 'victim';
let fixture: AttackFixture & AsyncDisposable;
/** Sessions of two users of the analysis service who signed in with a password. */
let victim: Session;
let attacker: Session;

interface Session {
  readonly session: string;
  readonly xsrfToken: string;
}

before(async () => {
  fixture = await startAttackFixture();
  const { users } = fixture.program.foundation;
  const keys = { all: storedKey('secret', ['R', 'W']) };
  await saveUser(users, 'victim', { type: ['admin', 'user'], apikeys: keys });
  await saveUser(users, 'attacker', { type: ['user'], apikeys: keys });
});
beforeEach(async () => {
  [victim, attacker] = [await openSession('victim'), await openSession('attacker')];
});
after(() => fixture[Symbol.asyncDispose]());

describe('XSRF: another site makes the browser of a signed-in user send a request', () => {
  const TOKENS: readonly { what: string; headers: () => Record<string, string>; query?: () => string }[] = [
    { what: 'no token', headers: () => ({}) },
    { what: 'an empty token', headers: () => ({ 'x-xsrf-token': '' }) },
    { what: 'a wrong token', headers: () => ({ 'x-xsrf-token': 'x'.repeat(victim.xsrfToken.length) }) },
    { what: 'the token of another session', headers: () => ({ 'x-xsrf-token': attacker.xsrfToken }) },
    {
      what: 'a token in the cookie alone',
      headers: () => ({ cookie: `session=${victim.session}; XSRF-TOKEN=${victim.xsrfToken}` }),
    },
    { what: 'a wrong token in the query', headers: () => ({}), query: () => `?XSRF_TOKEN=${attacker.xsrfToken}` },
    {
      what: 'a list of tokens in the query',
      headers: () => ({}),
      query: () => `?XSRF_TOKEN=${victim.xsrfToken}&XSRF_TOKEN=x`,
    },
  ];
  for (const { what, headers, query } of TOKENS) {
    it(`with ${what}: 403 on every route that needs one, with every method, and the audit log has it`, async () => {
      const wanting = routesOf(fixture.program, 'analysis').filter(
        ({ access }) => access !== 'public' && access.xsrf !== false,
      );
      assert.ok(wanting.length > 2);
      for (const route of wanting) {
        const { answer, events, changedUsers } = await fixture.attack(`${pathOf(route)}${query?.() ?? ''}`, {
          service: 'analysis',
          method: route.method,
          headers: { 'user-agent': AGENT, cookie: `session=${victim.session}`, ...headers() },
        });
        assert.equal(answer.status, 403, `${route.method} ${route.path}: ${answer.text}`);
        assert.match(answer.json.api_error_message, /Invalid XSRF token/);
        assert.deepEqual(changedUsers, []);
        assert.deepEqual(events, [
          { event: 'credential_refused', service: 'analysis', method: 'session', code: 'invalid_xsrf_token' },
        ]);
      }
    });
  }

  it('and the right token is accepted: the refusals above are due to the token', async () => {
    assert.equal((await asVictim({ 'x-xsrf-token': victim.xsrfToken })).status, 200);
  });
});

describe('a stolen or made-up session', () => {
  const ROWS: readonly {
    what: string;
    cookie: () => string;
    from?: string;
    agent?: string;
    headers?: Record<string, string>;
    code: string;
  }[] = [
    { what: 'made up', cookie: () => 'x'.repeat(43), code: 'session_not_found' },
    { what: 'of another form', cookie: () => '../../sessions', code: 'session_not_found' },
    { what: 'the name of a prototype', cookie: () => '__proto__', code: 'session_not_found' },
    { what: 'changed in one character', cookie: () => changed(victim.session), code: 'session_not_found' },
    { what: 'the hash that is stored of it', cookie: () => hashOf(victim.session), code: 'session_not_found' },
    { what: 'from another address', cookie: () => victim.session, from: '127.0.0.2', code: 'session_moved' },
    {
      what: 'from another address, which says that it forwards for the right one',
      cookie: () => victim.session,
      from: '127.0.0.2',
      headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
      code: 'session_moved',
    },
    { what: 'with another browser', cookie: () => victim.session, agent: 'attacker', code: 'session_moved' },
  ];
  for (const { what, cookie, from, agent = AGENT, headers = {}, code } of ROWS) {
    it(`${what}: 401, the browser is told to forget it, nothing is made, and the audit log has it`, async () => {
      const { answer, events, changedUsers } = await raw({
        headers: { cookie: `session=${cookie()}`, 'x-xsrf-token': victim.xsrfToken, 'user-agent': agent, ...headers },
        ...(from === undefined ? {} : { from }),
      });
      assert.equal(answer.status, 401, answer.text);
      assert.ok(
        answer.headers.getSetCookie().some((line) => /^session=;.*Max-Age=0/i.test(line)),
        'it is taken back',
      );
      assert.deepEqual(events, [['credential_refused', code]]);
      assert.deepEqual(changedUsers, []);
    });
  }

  const ENDS: readonly { what: string; end: () => Promise<unknown>; status: number; code: string }[] = [
    {
      what: 'after the password was changed',
      end: () => fixture.program.foundation.accounts.setPassword('victim', 'a new long password'),
      status: 401,
      code: 'session_expired',
    },
    {
      what: 'after the account was switched off',
      end: () => fixture.program.foundation.accounts.setActive('victim', false),
      status: 403,
      code: 'account_disabled',
    },
    {
      what: 'after the account was deleted',
      end: () => fixture.program.foundation.accounts.delete('victim'),
      status: 401,
      code: 'unknown_user',
    },
  ];
  for (const { what, end, status, code } of ENDS) {
    it(`${what}: ${status} at once`, async () => {
      assert.equal((await asVictim({ 'x-xsrf-token': victim.xsrfToken })).status, 200);
      await end();
      const { answer, events } = await raw({
        headers: { cookie: `session=${victim.session}`, 'x-xsrf-token': victim.xsrfToken, 'user-agent': AGENT },
      });
      await fixture.program.foundation.users.delete('victim');
      await saveUser(fixture.program.foundation.users, 'victim', { type: ['admin', 'user'] });
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(events, [['credential_refused', code]]);
    });
  }
});

describe('session fixation: the browser of the victim has a session that the attacker knows', () => {
  const PLANTED: readonly { what: string; session: () => string }[] = [
    { what: 'made up', session: () => 'A'.repeat(43) },
    { what: 'of the attacker', session: () => attacker.session },
  ];
  for (const { what, session } of PLANTED) {
    it(`${what}: the login opens another one, with another token, and gives that one nothing`, async () => {
      const planted = session();
      const { answer, events } = await raw(
        {
          method: 'POST',
          headers: {
            'user-agent': AGENT,
            'content-type': 'application/json',
            cookie: `session=${planted}; XSRF-TOKEN=${attacker.xsrfToken}`,
          },
          body: JSON.stringify({ user: 'victim', password: 'password' }),
        },
        '/api/v4/auth/login/',
      );
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(events, [['login_succeeded', undefined]]);
      const opened = new CookieJar(answer);
      assert.notEqual(opened.get('session'), planted);
      assert.notEqual(opened.get('XSRF-TOKEN'), attacker.xsrfToken);
      const after = await raw(
        { headers: { cookie: `session=${planted}`, 'user-agent': AGENT, 'x-xsrf-token': attacker.xsrfToken } },
        '/api/v4/user/whoami/',
      );
      assert.notEqual(after.answer.json.api_response?.username, 'victim');
    });
  }

  it('and a session that was ended stays ended', async () => {
    const headers = { cookie: `session=${victim.session}`, 'user-agent': AGENT, 'x-xsrf-token': victim.xsrfToken };
    const logout = await raw({ headers }, '/api/v4/auth/logout/');
    assert.equal(logout.answer.status, 200, logout.answer.text);
    assert.deepEqual(logout.events, [['logout', undefined]]);
    const { answer, events } = await raw({ headers });
    assert.equal(answer.status, 401);
    assert.deepEqual(events, [['credential_refused', 'session_not_found']]);
  });
});

describe('headers that two programs read differently', () => {
  const key = { 'x-apikey': 'all:secret' };
  const ROWS: readonly { what: string; headers: RawRequest['headers'] }[] = [
    { what: 'X-USER twice, the own name first', headers: { 'x-user': ['attacker', 'victim'], ...key } },
    { what: 'X-USER twice, the own name last', headers: { 'x-user': ['victim', 'attacker'], ...key } },
    { what: 'X-USER twice, with the same name', headers: { 'x-user': ['attacker', 'attacker'], ...key } },
    { what: 'X-APIKEY twice', headers: { 'x-user': 'attacker', 'x-apikey': ['all:wrong', 'all:secret'] } },
    { what: 'X-USER with a comma', headers: { 'x-user': 'attacker,victim', ...key } },
    { what: 'X-USER in another case', headers: { 'x-user': 'ATTACKER', ...key } },
    { what: 'X-USER with a line feed, encoded', headers: { 'x-user': 'attacker%0d%0aX-USER: victim', ...key } },
    { what: 'X-USER with underscores as CGI writes it', headers: { x_user: 'victim', x_apikey: 'all:secret' } },
    {
      what: 'the name of another user behind the key',
      headers: { 'x-user': 'attacker', 'x-apikey': 'all:secret:victim' },
    },
    { what: 'a key alone', headers: key },
    { what: 'a name alone', headers: { 'x-user': 'victim' } },
  ];
  for (const { what, headers = {} } of ROWS) {
    it(`${what}: 401, no caller is accepted, and the audit log names the user`, async () => {
      const { answer, events, changedUsers } = await raw({ headers });
      assert.equal(answer.status, 401, answer.text);
      assert.deepEqual(changedUsers, []);
      // Who brings neither key nor session tries nothing.
      const told = 'x-apikey' in headers ? 1 : 0;
      assert.deepEqual(
        events.map(([event]) => event),
        Array.from({ length: told }, () => 'credential_refused'),
      );
    });
  }

  it('the session of one user beside the key of another: the key alone counts, and its owner', async () => {
    const { answer } = await raw(
      { headers: { 'x-user': 'attacker', ...key, cookie: `session=${victim.session}`, 'user-agent': AGENT } },
      '/api/site_map/',
    );
    assert.equal(answer.status, 403, 'the session would be an administrator’s');
  });

  it('a cookie twice: the first counts, as browsers send what is more specific first', async () => {
    const cookie = `session=${attacker.session}; session=${victim.session}`;
    const headers = { cookie, 'user-agent': AGENT, 'x-xsrf-token': victim.xsrfToken };
    const { answer } = await raw({ headers });
    assert.equal(answer.status, 403, 'the token is not of the first session');
  });
});

async function openSession(user: string): Promise<Session> {
  return fixture.program.foundation.analysisIdentity.login({
    user,
    password: 'password',
    address: '127.0.0.1',
    userAgent: AGENT,
  });
}

async function asVictim(headers: Record<string, string>) {
  const { answer } = await raw({ headers: { cookie: `session=${victim.session}`, 'user-agent': AGENT, ...headers } });
  return answer;
}

async function raw(request: RawRequest, path = probeOf(fixture.program, 'analysis')) {
  const from = fixture.events.length;
  const send = () => sendRaw(`${fixture.program.urls.analysis}${path}`, request);
  const { answer, changedUsers } = await changesBy(fixture.program, send);
  return { answer, changedUsers, events: fixture.events.slice(from).map(({ event, code }) => [event, code]) };
}

function changed(text: string): string {
  return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
