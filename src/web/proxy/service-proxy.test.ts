import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

const WHOAMI = '/services/alerts/api/v1/user/whoami';
const HIT = '/services/alerts/api/v1/hit/';

let program: TestProgram;
let user: WebBrowser;
before(async () => {
  program = await startTestProgram();
});
after(() => program.close());
beforeEach(async () => {
  user = new WebBrowser(program.urls.web);
  await user.signIn('user');
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('headers of a caller', () => {
  it('identify no one on the way to a service', async () => {
    const forged: Readonly<Record<string, string>>[] = [
      { authorization: basic('admin:admin') },
      { authorization: basic('admin:devkey:admin') },
      { 'x-user': 'admin', 'x-apikey': 'devkey:admin' },
      { 'x-web-session': 'admin', 'x-actor': 'admin', 'x-userid': 'admin', 'x-classification': 'RESTRICTED' },
    ];
    const nobody = new WebBrowser(program.urls.web);
    for (const headers of forged) {
      for (const path of [
        WHOAMI,
        '/services/analysis/api/v4/user/whoami/',
        '/services/enrichment/api/v1/lookup/types/',
      ]) {
        assert.equal((await nobody.ask(path, { headers })).status, 401, `${path} ${JSON.stringify(headers)}`);
      }
      assert.equal((await user.ask(WHOAMI, { headers })).json.api_response.username, 'user');
    }
  });

  it('name no other user to act for', async () => {
    const key = 'impersonate:user';
    for (const headers of [{ 'x-impersonating': basic(`admin:${key}`) }, { 'x-impersonating': 'nonsense' }]) {
      assert.equal((await user.ask(WHOAMI, { headers })).json.api_response.username, 'user');
    }
  });

  it('do not bring the session of another service along', async () => {
    const login = await program.request('/api/v4/auth/login/', {
      service: 'analysis',
      method: 'POST',
      json: { user: 'admin', password: 'admin' },
    });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const nobody = new WebBrowser(program.urls.web);
    const answer = await nobody.ask('/services/analysis/api/v4/user/whoami/', { headers: { cookie } });
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.cookies, [], 'nor does the refusal take the cookies of that service back');
  });
});

describe('a caller without a session', () => {
  it('reaches nothing of a service, also what is public on its port', async () => {
    const nobody = new WebBrowser(program.urls.web);
    for (const path of [
      '/services/alerts/metrics',
      '/services/alerts/healthz/',
      '/services/alerts/api/docs',
      '/services/enrichment/api/v1/configs/',
      '/services/operations/v1/health',
    ]) {
      const { status, json } = await nobody.ask(path);
      assert.deepEqual([status, json.error.code], [401, 'session_ended'], path);
    }
    const login = { method: 'POST', json: { user: 'admin', password: 'admin' } };
    assert.equal((await nobody.ask('/services/alerts/api/v1/auth/login', login)).status, 401);
    assert.equal((await user.ask('/services/alerts/metrics')).status, 200);
  });
});

describe('a session', () => {
  it('is a cookie of the web interface alone, with one value', async () => {
    const [, value = ''] = /triad=([\w-]+)/.exec(user.cookie) ?? [];
    for (const cookie of [`session=${value}`, `__Host-triad=${value}`, `triad=${value}x`, `triad=; triad=${value}`]) {
      assert.equal((await user.ask(WHOAMI, { headers: { cookie } })).status, 401, cookie);
    }
    // A cookie that was set without TLS may be that of an attacker in the network.
    assert.equal((await user.ask(WHOAMI, { headers: { 'x-forwarded-proto': 'https' } })).status, 401);
  });

  it('is never the one that a caller brings to the sign-in', async () => {
    const fixed = 'A'.repeat(43);
    const victim = new WebBrowser(program.urls.web);
    const opened = await victim.ask('/session', {
      method: 'POST',
      json: { method: 'password', user: 'user', password: 'user' },
      headers: { cookie: `triad=${fixed}` },
    });
    assert.equal(opened.status, 200);
    assert.doesNotMatch(opened.cookies.join(), new RegExp(fixed));
    assert.equal((await victim.ask('/session', { headers: { cookie: `triad=${fixed}` } })).json.session, null);
  });

  it('that a browser had before a sign-in ends', async () => {
    const { cookie } = user;
    assert.equal((await user.signIn('admin')).status, 200);
    assert.equal((await user.ask(WHOAMI, { headers: { cookie } })).status, 401);
    assert.equal((await user.ask(WHOAMI)).json.api_response.username, 'admin');
  });
});

describe('the last use of a session', () => {
  const BACKGROUND = { 'x-background': '1' };
  const LONG_AGO = 120_000;

  async function sessionUsedLongAgo() {
    const browser = new WebBrowser(program.urls.web);
    await browser.signIn('user');
    const [, value = ''] = /triad=([\w-]+)/.exec(browser.cookie) ?? [];
    const { tokens } = program.foundation.coordination;
    const key = `web-session-used:${hash('sha256', value, 'hex')}`;
    const usedAt = Date.now() - LONG_AGO;
    assert.equal(typeof (await tokens.get(key)), 'number');
    await tokens.put(key, usedAt, 3_600_000);
    return { browser, isMoved: async () => (await tokens.get(key)) !== usedAt };
  }

  it('moves with a request of a person, and not with those that a page makes by itself', async () => {
    const idle = await sessionUsedLongAgo();
    const used = await sessionUsedLongAgo();
    // Sessions are cached for a second, those of both alike.
    const askBoth = async () => {
      assert.equal((await idle.browser.ask(WHOAMI, { headers: BACKGROUND })).status, 200);
      assert.equal((await used.browser.ask(WHOAMI)).status, 200);
      return used.isMoved();
    };
    await until('the request of a person is noted', askBoth);
    await askBoth();
    assert.equal(await idle.isMoved(), false);
    await until('the person came back', async () => {
      await idle.browser.ask(WHOAMI);
      return idle.isMoved();
    });
  });

  it('moves with a failed request of a person, too', async () => {
    const { browser, isMoved } = await sessionUsedLongAgo();
    await until('the request is noted', async () => {
      assert.equal((await browser.ask('/services/alerts/api/v1/hit/none')).status, 404);
      return isMoved();
    });
  });
});

describe('requests of pages of other origins', () => {
  const foreign: readonly Readonly<Record<string, string | undefined>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': undefined },
    { 'sec-fetch-site': undefined, origin: 'http://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
    { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1' },
    { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
  ];

  it('change nothing', async () => {
    for (const headers of foreign) {
      const sent = headers.origin === 'OWN' ? { ...headers, origin: program.urls.web } : headers;
      for (const [path, method] of [
        [HIT, 'POST'],
        ['/session', 'POST'],
        ['/session', 'DELETE'],
        ['/session/preferences', 'PUT'],
        [WHOAMI, 'OPTIONS'],
        ['/anything', 'POST'],
      ] as const) {
        const answer = await user.ask(path, { method, headers: sent, ...(method === 'OPTIONS' ? {} : { json: {} }) });
        assert.equal(answer.status, 403, `${method} ${path} ${JSON.stringify(sent)}`);
        assert.equal(answer.json.error.code, 'foreign_origin');
      }
    }
    assert.notEqual((await user.ask('/session')).json.session, null);
  });

  it('read nothing of a service or the session', async () => {
    for (const site of ['cross-site', 'same-site']) {
      for (const path of [WHOAMI, '/session', '/session/mine']) {
        assert.equal((await user.ask(path, { headers: { 'sec-fetch-site': site } })).status, 403, path);
      }
    }
    assert.equal((await user.ask('/session', { headers: { 'sec-fetch-site': 'none' } })).status, 200, 'no page');
  });

  it('read from a service by GET alone where a script of the interface asks', async () => {
    const asked = '/services/analysis/api/v4/auth/unset_otp/user/';
    // A browser sends none on a plain connection to another machine; a link in a mail has no page.
    for (const site of [undefined, 'none']) {
      for (const path of [WHOAMI, asked, `${asked}?/services/alerts/api/v1/user/avatar/user`]) {
        const refused = await user.ask(path, { headers: { 'sec-fetch-site': site } });
        assert.deepEqual([refused.status, refused.json.error.code], [403, 'foreign_origin'], `${site} ${path}`);
      }
      const script = { 'sec-fetch-site': site, 'x-requested-with': 'triad' };
      assert.equal((await user.ask(WHOAMI, { headers: script })).status, 200, site);
    }
    const forged = await user.ask(asked, { headers: { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'triad' } });
    assert.equal(forged.status, 403);
  });

  it('are not those of elements of a page: pictures of users, and files that are saved', async () => {
    for (const path of [
      '/services/alerts/api/v1/user/avatar/user',
      `/services/analysis/api/v4/file/download/${'0'.repeat(64)}/?encoding=cart`,
    ]) {
      const { status } = await user.ask(path, { headers: { 'sec-fetch-site': undefined } });
      assert.ok(status === 200 || status === 404, `${path} ${status}`);
      const foreign = await user.ask(path, { headers: { 'sec-fetch-site': 'same-site' } });
      assert.equal(foreign.status, 403, path);
    }
  });

  it('are those of a host name that an attacker points to this machine', async () => {
    const { port } = new URL(program.urls.web);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', 'a b', 'x]:80']) {
      for (const path of ['/', WHOAMI, '/session', '/assets/x.js']) {
        assert.equal((await user.ask(path, { headers: { host } })).status, 403, `${host} ${path}`);
      }
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `triad.localhost:${port}`]) {
      assert.equal((await user.ask(WHOAMI, { headers: { host } })).status, 200, host);
    }
  });

  it('are not those of programs and older browsers that name the exact origin', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: program.urls.web };
    assert.equal((await user.ask('/session', { method: 'DELETE', headers })).status, 204);
  });
});

describe('the address of a service', () => {
  it('is judged as it was sent', async () => {
    const statuses: Readonly<Record<string, number>> = {
      '/services/alerts/..%2f..%2fsession': 404,
      '/services/alerts/%2e%2e/analysis/api/v4/user/whoami/': 404,
      '/services/alerts/../analysis/api/v4/user/whoami/': 404,
      '/services/alerts/..\\analysis\\api': 404,
      '/services/%61lerts/api/v1/user/whoami': 404,
      '/services/alertsx/api/v1/user/whoami': 404,
      '/services/Alerts/api/v1/user/whoami': 404,
      '/services//alerts/api/v1/user/whoami': 404,
      '/services/alerts%2fapi/v1/user/whoami': 404,
      '/services/__proto__/x': 404,
      '/services/constructor/x': 404,
      '/services/alerts/%00': 400,
      '/services/alerts/%': 400,
      '/services/': 404,
      '/services/web/session': 404,
    };
    for (const [path, status] of Object.entries(statuses)) {
      assert.equal((await user.ask(path)).status, status, path);
    }
    const encoded = await user.ask('/services/alerts/api/v1/view/a%2Fb');
    assert.equal(encoded.status, 404);
    assert.equal((await user.ask('/services/alerts//api/v1/user/whoami')).status, 200, 'leading slashes are merged');
  });

  it('keeps its prefix in redirections', async () => {
    const answer = await user.ask('/services/alerts/api//v1/user/whoami');
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.location, WHOAMI);
  });

  it('takes HEAD and OPTIONS', async () => {
    const head = await user.ask(WHOAMI, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    const options = await user.ask(WHOAMI, { method: 'OPTIONS' });
    assert.equal(options.status, 200);
    assert.match(options.headers.allow ?? '', /GET, .*HEAD/);
  });

  it('answers what no page shows, frames or runs', async () => {
    for (const path of [WHOAMI, '/services/alerts/api/docs', '/services/analysis/help/api']) {
      const { headers, status } = await user.ask(path);
      assert.equal(status, 200, path);
      assert.match(
        headers['content-security-policy'] ?? '',
        /^default-src 'none';.*frame-ancestors 'none';.*; sandbox$/,
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
  });

  it('withholds cookies and tokens of logins of the services', async () => {
    const login = await user.ask('/services/analysis/api/v4/auth/login/', {
      method: 'POST',
      json: { user: 'admin', password: 'admin' },
    });
    assert.deepEqual(login.cookies, []);
  });
});

describe('bodies', () => {
  it('of 100 MB stream to the service', async () => {
    const size = 100 * 1024 * 1024;
    const boundary = 'b0undary';
    const json = JSON.stringify({ name: 'big.bin', params: { services: { selected: [] } } });
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="json"\r\n\r\n${json}\r\n--${boundary}\r\ncontent-disposition: form-data; name="bin"; filename="big.bin"\r\ncontent-type: application/octet-stream\r\n\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(size, 1), Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const answer = await user.ask('/services/analysis/api/v4/submit/', { method: 'POST', body: bytes, headers });
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    assert.equal(answer.json.api_response.files[0].size, size);
  });

  it('that are refused leave the connection usable', async () => {
    const { hostname, port } = new URL(program.urls.web);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const body = 'x'.repeat(300_000);
    const post = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const get = `GET /session HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
    socket.write([post('/session'), post(HIT), get].join(''));
    await until('three answers arrive', () => (received.match(/HTTP\/1\.1 /g) ?? []).length === 3);
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 403', 'HTTP/1.1 403', 'HTTP/1.1 200']);
    socket.destroy();
  });

  it('that are refused for a missing session leave it usable, too', async () => {
    const { hostname, port } = new URL(program.urls.web);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    const length = 20 * 1024 * 1024;
    const head = `Host: ${hostname}:${port}\r\nSec-Fetch-Site: same-origin\r\n`;
    socket.write(`POST ${HIT} HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length));
    socket.write(`GET /session HTTP/1.1\r\n${head}\r\n`);
    await until('two answers arrive', () => (received.match(/HTTP\/1\.1 /g) ?? []).length === 2);
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 200']);
    socket.destroy();
  });

  it('that never end keep no one waiting', async () => {
    const { hostname, port } = new URL(program.urls.web);
    const slow = Array.from({ length: 200 }, (_, index) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      const path = index % 2 === 0 ? '/session' : HIT;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      return socket;
    });
    assert.equal((await user.ask(WHOAMI)).status, 200);
    for (const socket of slow) socket.destroy();
  });
});
