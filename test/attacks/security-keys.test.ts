import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import {
  optionsOfBytes,
  SoftwareAuthenticator,
  type Tampering,
} from '../../src/testing/identity/software-authenticator.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const LOGINS = { alerts: '/api/v1/auth/login', analysis: '/api/v4/auth/login/' } as const;
const ORIGIN = { service: 'analysis', address: '127.0.0.1' } as const;
const key = new SoftwareAuthenticator();
const ofMallory = new SoftwareAuthenticator();
let fixture: AttackFixture & AsyncDisposable;

before(async () => {
  fixture = await startAttackFixture({ settings: { 'auth.internal.max_failures': 1000 } });
  const { users, analysisIdentity } = fixture.program.foundation;
  for (const [name, one] of [
    ['victim', key],
    ['mallory', ofMallory],
  ] as const) {
    await saveUser(users, name, { apikeys: { own: storedKey('secret', ['R', 'W']) } });
    const options = await analysisIdentity.factorAccounts.beginSecurityKey(name, '127.0.0.1');
    await analysisIdentity.factorAccounts.addSecurityKey(name, 'yubi', one.create(options), ORIGIN);
  }
});
after(() => fixture[Symbol.asyncDispose]());

/** Logs in with the password alone, as the attacker can, and asks for the challenge. */
async function challengeOf(user: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  await send('analysis', { user, password: 'password' });
  const answer = await fixture.program.request(`/api/v4/webauthn/authenticate/begin/${user}/`, { service: 'analysis' });
  assert.equal(answer.status, 200, answer.text);
  return optionsOfBytes(answer.json.api_response);
}

function send(service: keyof typeof LOGINS, json: object) {
  return fixture.attack(LOGINS[service], { service, method: 'POST', json });
}

/** The attacker knows the password, and has an answer of a security key that is wrong in one way. */
const ANSWERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'of a page that imitates ours': async () => tampered({ origin: 'http://localhost.phishing.example:8080' }),
  'for the name of that page': async () => tampered({ rpId: 'localhost.phishing.example' }),
  'from a frame': async () => tampered({ crossOrigin: true }),
  'without a touch of the key': async () => tampered({ flags: 0 }),
  'of a registration': async () => tampered({ type: 'webauthn.create' }),
  'of a copied key, whose counter stands still': async () => {
    await send('analysis', {
      user: 'victim',
      password: 'password',
      webauthn_auth_resp: await tampered({ counter: 1000 }),
    });
    return tampered({ counter: 1000 });
  },
  'signed by a key of the attacker': async () => ofMallory.get(await challengeOf('victim')),
  'signed by a key of the attacker under the identifier of the victim': async () => {
    const { response } = ofMallory.get(await challengeOf('victim'));
    return { ...key.get(await challengeOf('victim')), response };
  },
  'to a challenge of the attacker': async () => key.get(await challengeOf('mallory')),
  'to a challenge that was never given': async () => key.get({ challenge: 'AAAA', rpId: 'localhost' }),
  'that is used twice': async () => {
    const answer = await tampered({});
    const first = await send('analysis', { user: 'victim', password: 'password', webauthn_auth_resp: answer });
    assert.equal(first.answer.status, 200, first.answer.text);
    return answer;
  },
  'that is no answer': async () => ({ id: '__proto__', response: { clientDataJSON: 'e30' } }),
  'of bytes without meaning': async () => Array(16_384).fill(0x81),
  'that is too large': async () => Array(100_000).fill(1),
};

const tampered = async (tampering: Tampering) => key.get(await challengeOf('victim'), tampering);

describe('the password of a user with a security key, and an answer', () => {
  for (const [what, answerOf] of Object.entries(ANSWERS)) {
    it(`${what} opens neither service, changes nothing, and is in the audit log`, async () => {
      for (const service of ['alerts', 'analysis'] as const) {
        const webauthn_auth_resp = await answerOf();
        const { answer, events, changedUsers } = await send(service, {
          ...{ user: 'victim', password: 'password', webauthn_auth_resp },
        });
        assert.equal(answer.status, 401, answer.text);
        assert.equal(answer.json.api_error_message, 'Wrong Security Token');
        assert.equal(answer.headers.get('set-cookie'), null);
        assert.deepEqual(changedUsers, []);
        const code = 'wrong_security_token';
        assert.deepEqual(events, [{ event: 'login_failed', service, user: 'victim', method: 'password', code }]);
      }
    });
  }

  it('of the right key opens both', async () => {
    for (const service of ['alerts', 'analysis'] as const) {
      const json = { user: 'victim', password: 'password', webauthn_auth_resp: await tampered({}) };
      assert.equal((await send(service, json)).answer.status, 200);
    }
  });

  it('is not used up by a wrong password, which is refused first', async () => {
    const webauthn_auth_resp = await tampered({});
    const wrong = await send('analysis', { user: 'victim', password: 'wrong', webauthn_auth_resp });
    assert.equal(wrong.events[0]?.code, 'invalid_login');
    assert.equal(
      (await send('analysis', { user: 'victim', password: 'password', webauthn_auth_resp })).answer.status,
      200,
    );
  });

  it('is not asked for by an API key, which registers and removes none', async () => {
    const { program } = fixture;
    const basic = await program.request('/api/v1/user/whoami', { basic: 'victim:own:secret' });
    assert.equal(basic.status, 200);
    const headers = { 'x-user': 'victim', 'x-apikey': 'own:secret' };
    const removal = await fixture.attack('/api/v4/webauthn/remove/yubi/', { service: 'analysis', headers });
    assert.equal(removal.answer.status, 403, removal.answer.text);
    const { security_tokens: tokens } = (await program.foundation.users.get('victim')) ?? {};
    assert.deepEqual(Object.keys(tokens ?? {}), ['yubi']);
  });
});
