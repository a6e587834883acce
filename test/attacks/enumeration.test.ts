import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES } from '../../src/identity/actor.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { startTestProgram, type TestProgram, type TestRequest } from '../../src/testing/start-test-program.ts';

const MAX_FAILURES = 5;
const ADMIN = 'admin:devkey:admin';

let program: TestProgram;
before(async () => {
  program = await startTestProgram({
    demo: 'users',
    settings: { 'http.trusted_proxies': ['127.0.0.1'], 'auth.internal.max_failures_per_address': MAX_FAILURES },
  });
  await saveUser(program.foundation.users, 'victim', {
    apikeys: {
      known: storedKey('secret', ['R']),
      expired: storedKey('secret', ['R'], { expiry_date: '2020-01-01T00:00:00.000000Z' }),
      impersonate_one: storedKey('secret', ['R', 'I'], { agents: ['someone'] }),
    },
  });
});
after(() => program.close());

const login = (json: object): TestRequest => ({ method: 'POST', json });
const ALERT_LOGIN = '/api/v1/auth/login';
const WHOAMI = '/api/v1/user/whoami';

/** Ways to learn from an answer which users and keys there are, by what is looked for. */
const WAYS: Readonly<Record<string, readonly [string, TestRequest]>> = {
  'an unknown user, by login with a key': [ALERT_LOGIN, login({ user: 'nobody', apikey: 'known:x' })],
  'an unknown key, by login': [ALERT_LOGIN, login({ user: 'victim', apikey: 'unknown:x' })],
  'an expired key, by login': [ALERT_LOGIN, login({ user: 'victim', apikey: 'expired:x' })],
  'an impersonation key, by login': [ALERT_LOGIN, login({ user: 'victim', apikey: 'impersonate_one:x' })],
  'a wrong secret, by login': [ALERT_LOGIN, login({ user: 'victim', apikey: 'known:x' })],
  'an unknown user, by a request': [WHOAMI, { basic: 'nobody:known:x' }],
  'an unknown key, by a request': [WHOAMI, { basic: 'victim:unknown:x' }],
  'an expired key, by a request': [WHOAMI, { basic: 'victim:expired:x' }],
  'an impersonation key, by a request': [WHOAMI, { basic: 'victim:impersonate_one:x' }],
  'an unknown user, by impersonation': [WHOAMI, { basic: ADMIN, impersonate: 'nobody:known:x' }],
  'a key for others, by impersonation': [WHOAMI, { basic: ADMIN, impersonate: 'victim:impersonate_one:x' }],
  'an unknown key, at the analysis service': [
    '/api/v4/user/whoami/',
    { service: 'analysis', headers: { 'x-user': 'victim', 'x-apikey': 'unknown:x' } },
  ],
};

describe('names of users and keys', () => {
  for (const [index, [what, [path, request]]] of Object.entries(WAYS).entries()) {
    it(`are not tried without limit from one address: ${what}`, async () => {
      const from = (address: string, more: TestRequest = {}) =>
        program.request(path, { ...request, ...more, headers: { ...request.headers, 'x-forwarded-for': address } });
      const address = `203.0.113.${index + 1}`;
      const statuses: number[] = [];
      for (let round = 0; round < MAX_FAILURES + 3; round += 1) statuses.push((await from(address)).status);
      const [first] = statuses;
      assert.ok(first === 401 || first === 403, String(first));
      assert.deepEqual(statuses.slice(0, MAX_FAILURES), Array(MAX_FAILURES).fill(first));
      assert.deepEqual(statuses.slice(MAX_FAILURES), [429, 429, 429]);
      assert.equal((await from(`198.51.100.${index + 1}`)).status, first, 'other addresses get the answer');
      const owner = { basic: 'victim:known:secret', headers: { 'x-forwarded-for': address } };
      assert.equal((await program.request(WHOAMI, owner)).status, 200, 'a right key is not refused');
    });
  }

  it('are tried without a limit of the user, whom mistakes of others must not lock out', async () => {
    for (let round = 0; round < 20; round += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${round + 100}` };
      await program.request(ALERT_LOGIN, { ...login({ user: 'victim', apikey: 'unknown:x' }), headers });
    }
    const own = login({ user: 'victim', password: 'password' });
    assert.equal((await program.request(ALERT_LOGIN, own)).status, 200);
  });
});

it('metrics say nothing of alerts', async () => {
  const hit = { howler: { analytic: 'Operation Above All' }, classification: 'RESTRICTED' };
  const made = await program.request('/api/v1/hit/', { method: 'POST', basic: ADMIN, json: [hit] });
  assert.equal(made.status, 201, made.text);
  await program.request('/api/v1/search/facet/hit/Operation-Above', { basic: ADMIN });
  await program.request('/api/v1/analytic/Operation-Above', { basic: ADMIN });
  for (const service of SERVICES) {
    const { status, text } = await program.request('/metrics', { service });
    assert.equal(status, 200);
    assert.doesNotMatch(text, /Above|victim|RESTRICTED/);
  }
});
