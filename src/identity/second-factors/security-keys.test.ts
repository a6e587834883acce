import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { asBytes, SoftwareAuthenticator, type Tampering } from '../../testing/identity/software-authenticator.ts';

const ADDRESS = '192.0.2.1';
const ORIGIN = { service: 'analysis', by: 'ada', address: ADDRESS } as const;
const PASSWORD = { user: 'ada', password: 'password' };
const WRONG = { code: 'wrong_security_token', message: 'Wrong Security Token', kind: 'unauthenticated', response: '' };

/** Ada with a security key. */
async function setUp(context: TestContext, flags: Record<string, unknown> = {}, key = new SoftwareAuthenticator()) {
  const parts = await openAnalysisIdentity(context, { 'auth.internal.max_failures': 1000, ...flags });
  const { factorAccounts, secondFactors } = parts.analysisIdentity;
  const register = async (name: string, one = key, tampering: Tampering = {}, user = 'ada') => {
    const options = await factorAccounts.beginSecurityKey(user, ADDRESS);
    await factorAccounts.addSecurityKey(user, name, one.create(options, tampering), ORIGIN);
  };
  await register('yubi');
  const { login } = parts;
  /** Logs in with the password alone, after which a challenge is given. */
  const challenge = async (user = 'ada'): Promise<PublicKeyCredentialRequestOptionsJSON> => {
    await assert.rejects(login({ ...PASSWORD, user }), WRONG);
    return secondFactors.challenge(user, ADDRESS);
  };
  const signIn = async (tampering: Tampering = {}, one = key) =>
    login({ ...PASSWORD, webauthn_auth_resp: one.get(await challenge(), tampering) });
  return { ...parts, factorAccounts, secondFactors, key, register, challenge, signIn };
}

describe('a security key at the login', () => {
  it('opens a session beside the password, in both forms, and is asked for', async (context) => {
    const { login, key, challenge, signIn } = await setUp(context);
    assert.equal((await signIn()).username, 'ada');
    const bytes = asBytes(key.get(await challenge()));
    assert.equal((await login({ ...PASSWORD, webauthn_auth_resp: bytes })).username, 'ada');
    for (const missing of [undefined, null, '', []]) {
      await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: missing }), WRONG);
    }
    assert.equal((await login({ user: 'grace', password: 'password' })).username, 'grace');
    assert.equal((await login({ user: 'ada', apikey: 'devkey:secret' })).username, 'ada');
  });

  it('is offered with the identifiers of the keys, for the name of the installation', async (context) => {
    const { challenge, key } = await setUp(
      context,
      { 'analysis.ui.fqdn': 'triad.example' },
      at('https://triad.example'),
    );
    const { rpId, allowCredentials } = await challenge();
    assert.equal(rpId, 'triad.example');
    assert.deepEqual(allowCredentials, [{ id: key.id, transports: ['usb'], type: 'public-key' }]);
  });

  const tampered: Readonly<Record<string, Tampering>> = {
    'of another page': { origin: 'https://phishing.example' },
    'of another port with TLS': { origin: 'https://localhost.phishing.example' },
    'for another name': { rpId: 'phishing.example' },
    'without a user': { flags: 0 },
    'for a registration': { type: 'webauthn.create' },
    'in a frame of another page': { crossOrigin: true },
    'with a wrong signature': { signature: Buffer.from('3006020101020101', 'hex') },
    'with a signature of garbage': { signature: Buffer.from('garbage') },
    'with a made-up challenge': { challenge: 'bWFkZS11cA' },
  };
  for (const [what, tampering] of Object.entries(tampered)) {
    it(`is refused ${what}, which counts as a failed login`, async (context) => {
      const { signIn, key, login, lines } = await setUp(context, { 'auth.internal.max_failures': 1 });
      await assert.rejects(signIn(tampering), WRONG);
      assert.equal(lines.filter(({ entry }) => 'reason' in entry && entry.reason !== undefined).length, 1);
      await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: key.get(DUMMY) }), { code: 'locked_out' });
      await assert.rejects(login(PASSWORD), { code: 'locked_out' });
    });
  }

  it('answers a challenge once, within five minutes, that of its user', async (context) => {
    const { login, key, challenge, register, coordination } = await setUp(context);
    const answer = key.get(await challenge());
    const answers = await Promise.allSettled([1, 2, 3].map(() => login({ ...PASSWORD, webauthn_auth_resp: answer })));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: answer }), WRONG);

    const other = new SoftwareAuthenticator();
    await register('mine', other, {}, 'grace');
    const ofGrace = other.get(await challenge('grace'));
    await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: ofGrace }), WRONG);
    const withKeyOfGrace = other.get(await challenge());
    await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: withKeyOfGrace }), WRONG);
    const late = key.get(await challenge());
    // The time of tokens is that of the coordination server: this is what five minutes leave of them.
    assert.equal(await coordination.tokens.removeWithPrefix('security-key-challenge:'), 1);
    await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp: late }), WRONG);
  });

  it('is refused when its counter goes back or stands still, also at the same moment', async (context) => {
    const { signIn, key, challenge, login } = await setUp(context);
    await signIn({ counter: 41 });
    for (const counter of [41, 40, 0]) await assert.rejects(signIn({ counter }), WRONG);
    assert.equal((await signIn({ counter: 42 })).username, 'ada');
    const copies = [key.get(await challenge(), { counter: 50 }), key.get(await challenge(), { counter: 50 })];
    const answers = await Promise.allSettled(copies.map((one) => login({ ...PASSWORD, webauthn_auth_resp: one })));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await signIn({ counter: 0xffffffff })).username, 'ada');
  });

  it('may keep its counter at zero, as passkeys do', async (context) => {
    const { signIn, factorAccounts } = await setUp(context, {}, new SoftwareAuthenticator({ counts: false }));
    for (let use = 0; use < 3; use += 1) assert.equal((await signIn()).username, 'ada');
    const { security_keys } = await factorAccounts.list('ada');
    assert.deepEqual(security_keys[0]?.last_used, '2026-01-02T00:00:00.000000Z');
  });

  it('is refused in every form of garbage', async (context) => {
    const { login, key, challenge } = await setUp(context);
    const answer = key.get(await challenge());
    const { response } = answer;
    const garbage: readonly unknown[] = [
      ...[
        'x',
        7,
        true,
        {},
        [{}],
        [256],
        [-1],
        [1.5],
        [0xa0],
        [0xff],
        Array(20_000).fill(0x81),
        Array(10_000).fill(0x81),
      ],
      ...[
        { ...answer, id: 7 },
        { ...answer, id: 'é' },
        { ...answer, response: null },
        { ...answer, response: [] },
      ],
      { ...answer, response: { ...response, clientDataJSON: Buffer.from('{').toString('base64url') } },
      { ...answer, response: { ...response, clientDataJSON: Buffer.from('null').toString('base64url') } },
      { ...answer, response: { ...response, clientDataJSON: 'A'.repeat(1_000_000) } },
      { ...answer, response: { ...response, authenticatorData: 'AA' } },
      { ...answer, response: { ...response, signature: {} } },
      Array(1_000_000).fill(1),
    ];
    for (const webauthn_auth_resp of garbage) {
      await assert.rejects(login({ ...PASSWORD, webauthn_auth_resp }), WRONG);
    }
  });

  it('gets a challenge only after the right password, from the same network, and not without end', async (context) => {
    const { secondFactors, challenge, login } = await setUp(context);
    for (const user of ['ada', 'grace', 'unknown', '']) {
      await assert.rejects(secondFactors.challenge(user, ADDRESS), { code: 'no_login_begun', kind: 'invalid_input' });
    }
    await assert.rejects(login({ ...PASSWORD, password: 'wrong' }), { code: 'invalid_login' });
    await assert.rejects(secondFactors.challenge('ada', ADDRESS), { code: 'no_login_begun' });
    await challenge();
    await assert.rejects(secondFactors.challenge('ada', '198.51.100.1'), { code: 'no_login_begun' });
    const more = await Promise.allSettled(Array.from({ length: 60 }, () => secondFactors.challenge('ada', ADDRESS)));
    const refused = more.filter((one) => one.status === 'rejected');
    assert.equal(refused[0]?.reason.code, 'too_many_challenges');
    assert.equal(more.length - refused.length, 48);
  });

  it('is not asked for where the settings switch it off', async (context) => {
    const { login } = await setUp(context, { 'analysis.auth.allow_security_tokens': false });
    assert.equal((await login(PASSWORD)).username, 'ada');
  });

  it('that the public system registered is good here, and the other way round', async (context) => {
    const { users, signIn } = await setUp(context);
    const { security_tokens: tokens } = (await users.get('ada')) ?? {};
    await users.update('ada', [{ op: 'unset', path: 'security_token_details' }]);
    assert.equal((await signIn()).username, 'ada');
    const bytes = Buffer.from(tokens?.yubi ?? '', 'base64url');
    assert.equal(bytes.subarray(0, 18).toString('hex'), `${'00'.repeat(16)}0020`);
    await users.update('ada', [{ op: 'set', path: 'security_tokens', value: { damaged: 'x' } }]);
    await assert.rejects(signIn(), WRONG, 'a damaged record opens nothing');
  });
});

const DUMMY = { challenge: 'AAAA', rpId: 'localhost' };

function at(origin: string): SoftwareAuthenticator {
  return new SoftwareAuthenticator({ origin });
}
