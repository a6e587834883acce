import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../src/identity/actor.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import {
  startTestProgram,
  type TestAnswer,
  type TestProgram,
  type TestRequest,
} from '../src/testing/start-test-program.ts';

const AGENT = 'browser';
const LOGIN = { alerts: '/api/v1/auth/login', analysis: '/api/v4/auth/login/', enrichment: '/api/v1/auth/login' };
/** Addresses at which a login begins: one of each service, and the second one of enrichment. */
const BEGINNINGS: readonly (readonly [ServiceName, string, TestRequest])[] = [
  ['alerts', '/api/v1/auth/login?provider=main', {}],
  ['analysis', '/api/v4/auth/login/?oauth_provider=main', {}],
  ['enrichment', '/api/v1/auth/login?provider=main', {}],
  ['enrichment', '/api/login', { method: 'POST', json: { provider: 'main' } }],
];
const FINISH = { ...LOGIN, analysis: '/api/v4/auth/oauth/' };
const PAGE = { alerts: '/login?provider=main', analysis: '/oauth/main/', enrichment: '/login?provider=main' };

/**
 * Cookies of one host as a browser keeps them: by name and path, for every port (RFC 6265 sections
 * 5.1.4, 5.4 and 8.5).
 */
class HostCookies {
  readonly #kept = new Map<string, { name: string; value: string; path: string; httpOnly: boolean }>();

  keep(requestPath: string, { headers }: TestAnswer): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, path = defaultPath(requestPath)] = /; path=([^;]*)/i.exec(line) ?? [];
      const id = `${name} ${path}`;
      if (/; max-age=0(?:;|$)/i.test(line)) this.#kept.delete(id);
      else this.#kept.set(id, { name, value, path, httpOnly: /; httponly/i.test(line) });
    }
  }

  /** The header `Cookie` of a request: the longest path first. */
  headerFor(requestPath: string): string {
    return this.#at(requestPath)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** Returns the cookie that a script of a page reads. */
  readBy(page: string, wanted: string): string | undefined {
    return this.#at(page).find(({ name, httpOnly }) => name === wanted && !httpOnly)?.value;
  }

  #at(requestPath: string) {
    const path = requestPath.split('?', 1)[0] ?? '';
    return [...this.#kept.values()]
      .filter((one) => path === one.path || path.startsWith(one.path.endsWith('/') ? one.path : `${one.path}/`))
      .sort((left, right) => right.path.length - left.path.length);
  }
}

function defaultPath(requestPath: string): string {
  const path = requestPath.split('?', 1)[0] ?? '';
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

describe('a browser that uses the three services on one host, whose cookies are the same for every port', () => {
  let provider: TestIdentityProvider;
  let program: TestProgram;
  let cookies: HostCookies;
  before(async () => {
    provider = await startIdentityProvider();
    program = await startTestProgram({
      settings: {
        'auth.oauth.enabled': true,
        'auth.oauth.providers': { main: provider.settings({ auto_create: true }) },
      },
    });
    provider.allowRedirects(SERVICES.map((service) => `${program.urls[service]}${PAGE[service]}`));
  });
  after(async () => {
    await program.close();
    await provider[Symbol.asyncDispose]();
  });

  async function ask(service: ServiceName, path: string, request: TestRequest = {}): Promise<TestAnswer> {
    const headers = { 'user-agent': AGENT, cookie: cookies.headerFor(path), ...request.headers };
    const answer = await program.request(path, { service, ...request, headers });
    cookies.keep(path, answer);
    return answer;
  }

  const logIn = (service: ServiceName) =>
    ask(service, LOGIN[service], { method: 'POST', json: { user: 'user', password: 'user' } });

  /** Asks for the caller as a page of the analysis service does. */
  const whoami = () =>
    ask('analysis', '/api/v4/user/whoami/', { headers: { 'x-xsrf-token': cookies.readBy('/', 'XSRF-TOKEN') ?? '' } });

  const comeBack = async (service: ServiceName, begun: TestAnswer): Promise<TestAnswer> => {
    assert.equal(begun.status, 302, begun.text);
    const back = await provider.signIn(new URL(begun.headers.get('location') ?? ''), 'lovelace');
    back.searchParams.set('provider', 'main');
    return ask(service, `${FINISH[service]}${back.search}`);
  };

  it('stays in its session at the analysis service during visits to the others', async () => {
    cookies = new HostCookies();
    assert.equal((await logIn('analysis')).status, 200);
    assert.equal((await whoami()).status, 200);
    assert.equal((await logIn('alerts')).status, 200);
    assert.equal((await whoami()).status, 200, 'a login at the alert service left it');
    for (const [service, path, request] of BEGINNINGS) {
      if (service === 'analysis') continue;
      const begun = await ask(service, path, request);
      assert.equal((await whoami()).status, 200, `${path} left it`);
      assert.equal((await comeBack(service, begun)).status, 200);
      assert.equal((await whoami()).status, 200, `a login that ${path} began left it`);
    }
  });

  it('shows the session of the analysis service to no login of another', async () => {
    cookies = new HostCookies();
    await logIn('analysis');
    const [, session = ''] = /session=([^;]+)/.exec(cookies.headerFor('/')) ?? [];
    assert.notEqual(session, '');
    for (const [service, path, request] of BEGINNINGS) {
      const begun = await ask(service, path, request);
      assert.ok(!begun.headers.getSetCookie().join().includes(session), `${path} keeps it under another name`);
    }
  });

  it('signs in at all of them through a provider at once', async () => {
    cookies = new HostCookies();
    const begun: (readonly [ServiceName, TestAnswer])[] = [];
    for (const [service, path, request] of BEGINNINGS.slice(0, SERVICES.length)) {
      begun.push([service, await ask(service, path, request)]);
    }
    for (const [service, answer] of begun) assert.equal((await comeBack(service, answer)).status, 200, service);
  });

  it('can finish its other logins after it was refused, or has left, at the analysis service', async () => {
    cookies = new HostCookies();
    const begun = await ask('enrichment', BEGINNINGS[2]?.[1] ?? '');
    await logIn('analysis');
    const token = { 'x-xsrf-token': cookies.readBy('/', 'XSRF-TOKEN') ?? '' };
    assert.equal((await ask('analysis', '/api/v4/auth/logout/', { headers: token })).status, 200);
    assert.equal((await whoami()).status, 401);
    assert.equal((await comeBack('enrichment', begun)).status, 200);
  });
});
