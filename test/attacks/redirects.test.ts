import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, openAttackFixture, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
});
after(() => fixture[Symbol.asyncDispose]());

/** The head of the answer to this request target, which no client would send as it is. */
function headOf(service: ServiceName, target: string): Promise<string> {
  const { port } = new URL(fixture.program.urls[service]);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.once('error', reject);
    socket.once('end', () => resolve(answer.split('\r\n\r\n', 1)[0] ?? ''));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: triad.example.org\r\nConnection: close\r\n\r\n`);
  });
}

describe('a path with slashes too many, as it stands behind the host of a link', () => {
  const TARGETS = [
    '/\\evil.example//x',
    '/\\/evil.example//x',
    '//evil.example//x',
    '///evil.example//x',
    'http://evil.example//x',
    '//triad.example.org@evil.example//',
    '/%5Cevil.example//',
    '/%2F/evil.example//',
    '/.//evil.example//x',
  ];
  for (const target of TARGETS) {
    it(`${target} leads to no other host`, async () => {
      for (const service of SERVICES) {
        const head = await headOf(service, target);
        const [, location] = /^location: (.*)$/im.exec(head) ?? [];
        if (location === undefined) continue;
        for (const own of ['https://triad.example.org', 'http://triad.example.org']) {
          assert.equal(new URL(location, own).origin, own, location);
        }
      }
    });
  }
});

const LOGINS: Readonly<Record<ServiceName, { readonly begin: string; readonly finish: string }>> = {
  alerts: { begin: '/api/v1/auth/login?provider=main', finish: '/api/v1/auth/login?provider=main' },
  analysis: { begin: '/api/v4/auth/login/?oauth_provider=main', finish: '/api/v4/auth/oauth/?provider=main' },
  enrichment: { begin: '/api/v1/auth/login?provider=main', finish: '/api/v1/auth/login?provider=main' },
};

/** Begins a login; where the provider would send the browser back to, and the cookie that binds it. */
async function beginLogin({ program }: AttackFixture, service: ServiceName, headers: Record<string, string>) {
  const answer = await sendRaw(`${program.urls[service]}${LOGINS[service].begin}`, { headers });
  assert.equal(answer.status, 302, answer.text);
  const address = new URL(answer.headers.get('location') ?? '');
  const back = new URL(address.searchParams.get('redirect_uri') ?? '');
  return { back: back.origin, cookie: answer.headers.getSetCookie()[0] ?? '', answer, address };
}

/** Signs in at the provider; what the page brings back beside the name of the provider. */
async function answerOf({ provider }: AttackFixture, address: URL, username: string): Promise<URLSearchParams> {
  const { searchParams } = await provider.signIn(address, username);
  searchParams.delete('provider');
  return searchParams;
}

describe('the address that a provider sends the browser back to', () => {
  const PROXIED = { 'x-forwarded-host': 'triad.example.org', 'x-forwarded-proto': 'https', host: 'inside:5000' };

  it('is that of a trusted proxy', async (context) => {
    const behind = await openAttackFixture(context, { settings: { 'http.trusted_proxies': ['127.0.0.1'] } });
    for (const service of SERVICES) {
      assert.equal((await beginLogin(behind, service, PROXIED)).back, 'https://triad.example.org');
      const text = { ...PROXIED, 'x-forwarded-host': 'evil.example/@triad.example.org' };
      assert.equal((await beginLogin(behind, service, text)).back, 'https://inside:5000');
    }
  });

  it('is not that of a proxy that is not trusted', async () => {
    for (const service of SERVICES) {
      assert.equal((await beginLogin(fixture, service, PROXIED)).back, 'http://inside:5000');
    }
  });

  it('is the public URL for every request', async (context) => {
    const settings = {
      'http.public_url': 'https://triad.example.org',
      'analysis.public_url': 'https://scan.example.org/',
    };
    const open = await openAttackFixture(context, { settings: { ...settings, 'http.trusted_proxies': ['127.0.0.1'] } });
    for (const service of SERVICES) {
      const own = service === 'analysis' ? 'https://scan.example.org' : 'https://triad.example.org';
      const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      for (const referer of ['https://evil.example/', own.replace('https', 'http'), `${own}/`, `${own}:444/`]) {
        assert.equal((await beginLogin(open, service, { ...evil, referer })).back, own, referer);
      }
      assert.match((await beginLogin(open, service, {})).cookie, /; Secure/);
    }
  });

  it('is no page without TLS when the service has TLS, nor the reverse', async (context) => {
    const behind = await openAttackFixture(context, { settings: { 'http.trusted_proxies': ['127.0.0.1'] } });
    const host = 'triad.example.org';
    for (const service of SERVICES) {
      for (const proto of ['http', 'https']) {
        for (const page of ['http', 'https']) {
          const headers = { host, 'x-forwarded-proto': proto, referer: `${page}://${host}/login` };
          assert.equal((await beginLogin(behind, service, headers)).back, `${proto}://${host}`);
        }
      }
    }
  });
});

describe('a cookie that a sibling host planted', () => {
  const TLS = { 'x-forwarded-proto': 'https', host: 'triad.example.org', 'x-forwarded-host': 'triad.example.org' };
  let behind: AttackFixture & AsyncDisposable;
  before(async () => {
    behind = await startAttackFixture({ settings: { 'http.trusted_proxies': ['127.0.0.1'] } });
    const pages = ['/login?provider=main', '/oauth/main/'].map((path) => `https://triad.example.org${path}`);
    behind.provider.allowRedirects(pages);
  });
  after(() => behind[Symbol.asyncDispose]());

  for (const service of SERVICES) {
    it(`does not make the login of the attacker that of the victim, at the ${service} service`, async () => {
      const begun = await beginLogin(behind, service, TLS);
      assert.match(begun.cookie, /^__Host-[a-z]+-login=login\.[\w-]{43}; /);
      for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
        assert.ok(begun.cookie.split('; ').includes(attribute), begun.cookie);
      }
      assert.doesNotMatch(begun.cookie, /Domain/i);
      const answer = await answerOf(behind, begun.address, 'hopper');
      const value = new CookieJar(begun.answer).header.split('=')[1] ?? '';
      const { finish } = LOGINS[service];
      const send = (cookie: string) =>
        sendRaw(`${behind.program.urls[service]}${finish}&${answer}`, { headers: { ...TLS, cookie } });
      // Without the prefix, any host of the domain can set these.
      for (const name of ['session', `${service}-login`, `__host-${service}-login`, `__Secure-${service}-login`]) {
        assert.equal((await send(`${name}=${value}`)).status, 401, name);
      }
    });

    it(`does not disturb a login, at the ${service} service`, async () => {
      const begun = await beginLogin(behind, service, TLS);
      const query = await answerOf(behind, begun.address, 'lovelace');
      const planted = `session=planted; ${service}-login=login.${'x'.repeat(43)}`;
      const cookie = `${planted}; ${new CookieJar(begun.answer).header}`;
      const path = `${LOGINS[service].finish}&${query}`;
      const answer = await sendRaw(`${behind.program.urls[service]}${path}`, { headers: { ...TLS, cookie } });
      assert.equal(answer.status, 200, answer.text);
    });
  }

  it('does not give the browser the session of the attacker', async () => {
    const url = behind.program.urls.analysis;
    const login = `${url}/api/v4/auth/login/?user=goose&password=goose`;
    const jar = new CookieJar(await sendRaw(login, { headers: TLS }));
    const session = jar.get('session');
    assert.ok(session !== undefined && session === jar.get('__Host-session'));
    const token = { 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' };
    const whoami = async (cookie: string, headers: Record<string, string> = {}) => {
      const sent = { ...TLS, ...token, ...headers, cookie };
      return (await sendRaw(`${url}/api/v4/user/whoami/`, { headers: sent })).status;
    };
    const BROWSER = { 'sec-fetch-site': 'same-origin' };
    assert.equal(await whoami(`session=${session}`, BROWSER), 401, 'planted in a browser');
    assert.equal(await whoami(jar.header, BROWSER), 200, 'its own');
    assert.equal(await whoami(`session=planted; __Host-session=${session}`, BROWSER), 200, 'planted beside its own');
    assert.equal(await whoami(`session=${session}`), 200, 'of a program');
    const logout = await sendRaw(`${url}/api/v4/auth/logout/`, { headers: { ...TLS, ...BROWSER, cookie: jar.header } });
    jar.keep(logout);
    assert.equal(jar.header, '', 'all are forgotten');
  });
});
