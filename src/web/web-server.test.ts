import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../identity/audit/audit-log.ts';
import type { SocketClient } from '../testing/socket-client.ts';
import { startTestProgram, type TestProgram } from '../testing/start-test-program.ts';
import { until } from '../testing/until.ts';
import { WebBrowser } from '../testing/web-browser.ts';

const WHOAMI = '/services/alerts/api/v1/user/whoami';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({ onAudit: (event) => void events.push(event) });
});
after(() => program.close());

const browser = () => new WebBrowser(program.urls.web);

describe('the session of a browser', () => {
  it('is opened by a password, counts at every service, and is ended', async () => {
    const one = browser();
    assert.deepEqual((await one.ask('/session')).json, {
      session: null,
      sign_in: { password: true, api_key: true, forgotten_password: null, providers: [] },
      services: {},
    });
    const opened = await one.signIn('admin');
    assert.equal(opened.status, 200, opened.text);
    const { session, services } = opened.json;
    assert.equal(session.username, 'admin');
    assert.equal(session.opened_with, 'password');
    assert.deepEqual(session.privileges, ['R', 'W', 'E']);
    assert.equal(services.alerts, program.url);
    assert.equal((await one.ask(WHOAMI)).json.api_response.username, 'admin');
    const analysis = await one.ask('/services/analysis/api/v4/user/whoami/');
    assert.equal(analysis.json.api_response.username, 'admin', analysis.text);
    assert.equal((await one.ask('/services/enrichment/api/v1/configs/')).status, 200);
    assert.equal((await one.ask('/services/operations/v1/health')).status, 200);
    assert.equal((await one.ask('/session')).json.session.id, session.id);

    const { cookie } = one;
    assert.equal((await one.ask('/session', { method: 'DELETE' })).status, 204);
    assert.equal(one.cookie, '');
    for (const path of [WHOAMI, '/services/analysis/api/v4/user/whoami/']) {
      assert.equal((await one.ask(path, { headers: { cookie } })).status, 401, path);
    }
    assert.equal((await one.ask('/session', { headers: { cookie } })).json.session, null);
    assert.deepEqual(
      events.filter(({ service }) => service === 'web').map(({ event, user, method }) => [event, user, method]),
      [
        ['login_succeeded', 'admin', 'password'],
        ['logout', 'admin', undefined],
      ],
    );
  });

  it('of an API key has the rights of the key, and ends with it', async () => {
    const one = browser();
    const refused = await one.signInByKey('admin', 'devkey:wrong');
    assert.equal(refused.status, 401);
    assert.equal(refused.json.error.code, 'invalid_login');
    const opened = await one.signInByKey('admin', 'readonly:admin');
    assert.equal(opened.status, 200, opened.text);
    assert.deepEqual(
      [opened.json.session.key, opened.json.session.privileges, opened.json.session.opened_with],
      ['readonly', ['R'], 'apikey'],
    );
    assert.equal((await one.ask(WHOAMI)).status, 200);
    const written = await one.ask('/services/alerts/api/v1/hit/', { method: 'POST', json: [{}] });
    assert.equal(written.status, 403);
    await program.foundation.users.update('admin', [{ op: 'unset', path: 'apikeys.readonly' }]);
    assert.equal((await one.ask(WHOAMI)).status, 401);
    assert.equal((await one.ask('/session')).json.session, null);
  });

  it('is in a cookie that no script reads and no other site sends', async () => {
    const { cookies } = await browser().signIn('user');
    assert.equal(cookies.length, 1);
    assert.match(cookies[0] ?? '', /^triad=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    const encrypted = await browser().ask('/session', {
      method: 'POST',
      json: { method: 'password', user: 'user', password: 'user' },
      headers: { 'x-forwarded-proto': 'https' },
    });
    assert.match(
      encrypted.cookies[0] ?? '',
      /^__Host-triad=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });
});

describe('a trusted proxy', () => {
  it('says address, host and scheme of the browser', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const behind = await startTestProgram({
      settings: { 'http.trusted_proxies': '127.0.0.1' },
      onLog: (line) => lines.push(line),
    });
    const one = new WebBrowser(behind.urls.web);
    const proxied = {
      'x-forwarded-for': '203.0.113.9, 198.51.100.7',
      'x-forwarded-host': 'localhost',
      'x-forwarded-proto': 'https',
    };
    const json = { method: 'password', user: 'user', password: 'user' };
    const opened = await one.ask('/session', { method: 'POST', json, headers: proxied });
    assert.match(opened.cookies[0] ?? '', /^__Host-triad=/);
    const [session] = (await one.ask('/session/mine', { headers: proxied })).json.sessions;
    assert.equal(session.address, '198.51.100.7');
    assert.equal((await one.ask(WHOAMI, { headers: proxied })).status, 200);
    const line = lines.findLast(({ path }) => path === '/api/v1/user/whoami');
    assert.deepEqual([line?.address, line?.user, line?.status], ['198.51.100.7', 'user', 200]);
    const foreign = await one.ask('/', { headers: { ...proxied, 'x-forwarded-host': 'evil.example' } });
    assert.equal(foreign.json.error.code, 'foreign_host');
    await until('the refusal is in the log', () => lines.some(({ error }) => error === 'foreign_host'));
    const origin = { ...proxied, 'sec-fetch-site': undefined, origin: 'https://localhost' };
    assert.equal((await one.ask('/session', { method: 'DELETE', headers: origin })).status, 204);
    await behind.close();
  });
});

describe('a program that listens on every address', () => {
  it('names the one that the browser uses, and knows no name but its own', async () => {
    const open = await startTestProgram({ demo: 'none', settings: { host: '0.0.0.0' } });
    await open.foundation.accounts.create('ana', { name: 'Ana', new_pass: 'long enough for all' });
    const one = new WebBrowser(open.urls.web.replace('0.0.0.0', '127.0.0.1'));
    const { services } = (await one.signIn('ana', 'long enough for all')).json;
    assert.deepEqual(services.alerts, open.url.replace('0.0.0.0', '127.0.0.1'));
    const named = await one.open('/', { host: 'triad.example' });
    assert.equal(named.json.error.code, 'foreign_host');
    await open.close();
  });
});

describe('live events', () => {
  it('need no token, and end with the session', async () => {
    const one = browser();
    await one.signIn('user');
    const socket = one.listen();
    const frame = await socket.next('info');
    assert.deepEqual([frame.username, typeof frame.id], ['user', 'string']);
    await one.ask('/session', { method: 'DELETE' });
    assert.equal(await socket.status(), 401);
  });

  it('do not hold up the end of the program', async () => {
    const ending = await startTestProgram();
    const one = new WebBrowser(ending.urls.web);
    await one.signIn('user');
    const socket = one.listen();
    await socket.next('info');
    await ending.close();
    await until('the socket is closed', () => socket.closed !== undefined);
  });

  it('are at the process that serves them', async () => {
    const other = await startTestProgram({ settings: { components: ['http'] } });
    const one = new WebBrowser(other.urls.web);
    await one.signIn('user');
    assert.equal(await refusalOf(one.listen()), 404);
    await other.close();
  });

  it('are refused without a session, to other origins, and at other addresses', async () => {
    const one = browser();
    const refusedAs = async (headers: Record<string, string>, wanted: number) => {
      assert.equal(await refusalOf(one.listen(headers)), wanted);
    };
    await refusedAs({}, 401);
    await one.signIn('user');
    await refusedAs({ origin: 'http://127.0.0.1:1' }, 403);
    await refusedAs({ 'sec-fetch-site': 'cross-site' }, 403);
    await refusedAs({ host: 'evil.example' }, 403);
  });
});

/** Returns the status with which an upgrade is refused. */
async function refusalOf(client: SocketClient): Promise<number> {
  let status = 0;
  client.socket.on('unexpected-response', (_request, answer) => {
    status = answer.statusCode ?? 0;
    answer.resume();
  });
  await until('the upgrade is answered', () => status !== 0);
  client.close();
  return status;
}
