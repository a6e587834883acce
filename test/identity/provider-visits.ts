import assert from 'node:assert/strict';
import type { ServiceName } from '../../src/identity/actor.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { PEOPLE } from '../../src/testing/identity/identity-provider/provider-people.ts';
import { signInAt } from '../../src/testing/identity/identity-provider/sign-in.ts';
import type { TestAnswer, TestProgram } from '../../src/testing/start-test-program.ts';

/** Something that only those get who are known, at each service; the first two tell them who they are. */
export const WHOAMI: Readonly<Record<ServiceName, string>> = {
  alerts: '/api/v1/user/whoami',
  analysis: '/api/v4/user/whoami/',
  enrichment: '/api/v1/',
};
/** Address at which browsers begin a login through a page of the provider. */
export const BEGIN: Readonly<Record<ServiceName, string>> = {
  alerts: '/api/v1/auth/login?provider=main',
  analysis: '/api/v4/auth/login/?oauth_provider=main',
  enrichment: '/api/v1/auth/login?provider=main',
};

/** Returns the visits of users to a program whose provider is called `main`. */
export function visitsTo(program: () => TestProgram) {
  const whoami = (service: ServiceName, bearer: string, at = program()) =>
    at.request(WHOAMI[service], { service, bearer });

  async function signIn(username: string, service: ServiceName = 'alerts') {
    const begun = await program().request(BEGIN[service], { service });
    assert.equal(begun.status, 302, begun.text);
    const password = PEOPLE[username]?.password ?? '';
    const back = await signInAt(begun.headers.get('location') ?? '', { username, password });
    return { back, cookie: new CookieJar(begun).header, service };
  }

  const finish = ({ back, cookie, service }: Awaited<ReturnType<typeof signIn>>) => {
    const path = service === 'analysis' ? '/api/v4/auth/oauth/' : '/api/v1/auth/login';
    const query = new URLSearchParams(back.searchParams);
    query.set('provider', 'main');
    return program().request(`${path}?${query}`, { service, headers: { cookie } });
  };

  /** Logs in at the analysis service and asks it who that is. */
  async function openSession(json: Record<string, unknown>): Promise<TestAnswer> {
    const service = 'analysis';
    const opened = await program().request('/api/v4/auth/login/', { service, method: 'POST', json });
    assert.equal(opened.status, 200, opened.text);
    const headers = new CookieJar(opened).sessionHeaders;
    return program().request(WHOAMI.analysis, { service, headers });
  }

  return { whoami, signIn, finish, openSession };
}
