import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser } from '../../src/testing/identity/open-test-identity.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

/** Bytes of everything that was kept in coordination. */
let kept = 0;
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const { users, coordination } = fixture.program.foundation;
  await saveUser(users, 'reader');
  const { tokens } = coordination;
  const put = tokens.put.bind(tokens);
  const counting: typeof put = (key, value, lifetime) => {
    kept += key.length + JSON.stringify(value).length;
    return put(key, value, lifetime);
  };
  Object.defineProperty(tokens, 'put', { value: counting });
});
after(() => fixture[Symbol.asyncDispose]());

const LONG = 'a'.repeat(10_000);

describe('the state that an unknown caller, or one that opens session after session, can make the program keep', () => {
  const LOGINS = [
    ['alerts', '/api/v1/auth/login?provider=main'],
    ['analysis', '/api/v4/auth/login/?oauth_provider=main'],
    ['enrichment', '/api/v1/auth/login?provider=main'],
  ] as const;
  for (const [service, path] of LOGINS) {
    it(`is little for a login that is begun at the ${service} service with a long host`, async () => {
      kept = 0;
      const answer = await sendRaw(`${fixture.program.urls[service]}${path}`, { headers: { host: `${LONG}.example` } });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(kept, 0);
    });
  }

  it('is little for a session with a long user agent, which is still good for that one alone', async () => {
    kept = 0;
    const opened = await sendRaw(`${fixture.program.urls.analysis}/api/v4/auth/login/`, {
      method: 'POST',
      headers: { 'user-agent': LONG, 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'reader', password: 'password' }),
    });
    assert.equal(opened.status, 200, opened.text);
    assert.ok(kept < 2000, `${kept} bytes`);
    const [cookie = '', xsrf = ''] = opened.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    const whoami = (agent: string) =>
      sendRaw(`${fixture.program.urls.analysis}/api/v4/user/whoami/`, {
        headers: { cookie, 'user-agent': agent, 'x-xsrf-token': xsrf.slice('XSRF-TOKEN='.length) },
      });
    assert.equal((await whoami(LONG)).status, 200);
    assert.equal((await whoami('b')).status, 401);
  });
});
