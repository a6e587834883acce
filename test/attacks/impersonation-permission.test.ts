import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
/** Token of `victim` for `robot`. */
let token: string;
before(async () => {
  fixture = await startAttackFixture();
  const { users, ownTokens } = fixture.program.foundation;
  const apikeys = { all: storedKey('secret', ['R', 'W', 'E']), read: storedKey('secret', ['R']) };
  await saveUser(users, 'victim', { type: ['admin', 'user'], apikeys });
  await saveUser(users, 'robot', { can_impersonate: true, apikeys });
  const roles = ['submission_view', 'self_manage', 'obo_access', 'apikey_access'];
  const client = { client_id: 'robot', scope: 'c', netloc: 'robot.example.org', server: 'Robots', roles };
  ({ token } = await ownTokens.issue('victim', client));
  // The first use of a key on a day is noted with it.
  for (const headers of [key('victim'), key('victim', 'read'), key('robot')]) {
    const { status } = await fixture.program.request('/api/v4/user/whoami/', { service: 'analysis', headers });
    assert.equal(status, 200);
  }
});
after(() => fixture[Symbol.asyncDispose]());

const key = (user: string, name = 'all') => ({ 'x-user': user, 'x-apikey': `${name}:secret` });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

describe('the permission to call in the name of a user', () => {
  const good = { client_id: 'robot', redirect_url: 'https://robot.example.org/', scope: 'r', server: 'x' };
  const page = () => ({ referer: `${fixture.program.urls.analysis}/authorize` });
  const rows: readonly {
    readonly what: string;
    readonly query?: Record<string, string>;
    readonly headers: () => Record<string, string>;
    readonly status: number;
  }[] = [
    { what: 'without a credential', headers: page, status: 401 },
    {
      what: 'with a key that has no role for it',
      headers: () => ({ ...key('victim', 'read'), ...page() }),
      status: 403,
    },
    { what: 'from no page', headers: () => key('victim'), status: 403 },
    {
      what: 'from the page of another user',
      headers: () => ({ ...key('victim'), referer: 'https://evil.example/' }),
      status: 403,
    },
    {
      what: 'from a page that looks like ours',
      headers: () => ({ ...key('victim'), referer: `https://evil.example/${fixture.program.urls.analysis}` }),
      status: 403,
    },
    ...['http://evil.example/', '//evil.example/', 'javascript:alert(1)', 'https://a:b@evil.example/', ''].map(
      (redirect_url) => ({
        what: `to ${redirect_url || 'nowhere'}`,
        query: { redirect_url },
        headers: () => ({ ...key('victim'), ...page() }),
        status: 400,
      }),
    ),
    {
      what: 'by a client in the name of its user',
      headers: () => ({ ...key('robot'), ...bearer(token), ...page() }),
      status: 403,
    },
  ];
  for (const { what, query, headers, status } of rows) {
    it(`${what}: ${status}, leads nowhere and gives nothing`, async () => {
      const { answer, events, changedUsers } = await fixture.attack(
        `/api/v4/auth/obo_token/?${new URLSearchParams({ ...good, ...query })}`,
        { service: 'analysis', headers: headers() },
      );
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers.get('location'), null);
      assert.deepEqual(changedUsers, []);
      assert.ok(!events.some(({ event }) => event === 'impersonation_allowed'));
    });
  }

  it('is not given in a session without its XSRF token, from any page', async () => {
    const login = await fixture.program.request('/api/v4/auth/login/', {
      service: 'analysis',
      method: 'POST',
      json: { user: 'victim', password: 'password' },
    });
    assert.equal(login.status, 200, login.text);
    const cookie = new CookieJar(login).header;
    const path = `/api/v4/auth/obo_token/?${new URLSearchParams(good)}`;
    const headers = { cookie, referer: 'https://robot.example.org/', 'user-agent': 'node' };
    const { answer, changedUsers } = await fixture.attack(path, { service: 'analysis', headers });
    assert.equal(answer.headers.get('location'), null);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Invalid XSRF token/);
    assert.deepEqual(changedUsers, []);
  });
});
