import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generate, generateSecret } from 'otplib';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const SECRET = generateSecret();
const LOGIN = '/api/v1/auth/login';
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const { users } = fixture.program.foundation;
  await saveUser(users, 'victim', { otp_sk: SECRET, apikeys: { own: storedKey('secret', ['R']) } });
  await saveUser(users, 'holder', { security_tokens: { phone: 'x' } });
});
after(() => fixture[Symbol.asyncDispose]());

/** The attacker knows a password and tries to make an API key that opens the analysis service. */
describe('the password of a user with a second factor, at the alert service', () => {
  for (const user of ['victim', 'holder']) {
    it(`makes no API key for ${user}: 401, nothing is made, and the audit log has it`, async () => {
      const json = { name: 'mine', priv: 'RWE', expiry_date: '2999-01-01T00:00:00Z' };
      const request = { method: 'POST', basic: `${user}:password`, json };
      const { answer, events, changedUsers } = await fixture.attack('/api/v1/auth/apikey', request);
      assert.equal(answer.status, 401, answer.text);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(events, [
        { event: 'credential_refused', service: 'alerts', user, method: 'password', code: 'wrong_one_time_password' },
      ]);
    });
  }

  it('is no login without the code, and none with a wrong one', async () => {
    for (const otp of [undefined, '000000']) {
      const json = { user: 'victim', password: 'password', otp };
      const { answer, events } = await fixture.attack(LOGIN, { method: 'POST', json });
      assert.equal(answer.status, 401, answer.text);
      assert.deepEqual(events, [
        {
          event: 'login_failed',
          service: 'alerts',
          user: 'victim',
          method: 'password',
          code: 'wrong_one_time_password',
        },
      ]);
    }
  });

  it('is one with the right code, once', async () => {
    const json = { user: 'victim', password: 'password', otp: await generate({ secret: SECRET }) };
    const first = await fixture.program.request(LOGIN, { method: 'POST', json });
    assert.equal(first.status, 200, first.text);
    const { app_token: bearer } = first.json.api_response;
    assert.equal((await fixture.program.request('/api/v1/user/whoami', { bearer })).status, 200);
    assert.equal((await fixture.program.request(LOGIN, { method: 'POST', json })).status, 401);
  });

  it('leaves API keys as they are', async () => {
    assert.equal((await fixture.program.request('/api/v1/user/whoami', { basic: 'victim:own:secret' })).status, 200);
  });
});
