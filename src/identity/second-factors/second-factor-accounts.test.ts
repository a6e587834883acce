import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { generate } from 'otplib';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { asBytes, SoftwareAuthenticator, type Tampering } from '../../testing/identity/software-authenticator.ts';

const ADDRESS = '192.0.2.1';
const ORIGIN = { service: 'analysis', by: 'ada', address: ADDRESS } as const;
const PASSWORD = { user: 'ada', password: 'password' };

async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openAnalysisIdentity(context, flags);
  const { factorAccounts: accounts } = parts.analysisIdentity;
  const register = async (name: string, key = new SoftwareAuthenticator(), tampering: Tampering = {}) => {
    const options = await accounts.beginSecurityKey('ada', ADDRESS);
    await accounts.addSecurityKey('ada', name, key.create(options, tampering), ORIGIN);
    return key;
  };
  const setUpOneTimePasswords = async () => {
    const { secret } = await accounts.beginOneTimePasswords('ada');
    const code = () => generate({ secret, epoch: Math.floor(parts.clock.now / 1000) });
    await accounts.confirmOneTimePasswords('ada', await code(), ORIGIN);
    parts.clock.now += 300_000;
    return code;
  };
  const changes = () =>
    parts.events.filter(({ event }) => event === 'user_changed').map(({ fields }) => fields?.join());
  return { ...parts, accounts, register, setUpOneTimePasswords, changes };
}

describe('the second factors of an account', () => {
  it('are listed without secrets, named, renamed and removed, and audited', async (context) => {
    const { accounts, register, users, changes, login } = await setUp(context);
    assert.deepEqual(await accounts.list('ada'), { one_time_passwords: false, security_keys: [], recovery_codes: 0 });
    await register('yubi');
    await register('clé n° 2'.replace('°', 'o'));
    await accounts.renameSecurityKey('ada', 'yubi', 'Büro', ORIGIN);
    const listed = await accounts.list('ada');
    assert.deepEqual(listed.security_keys.map(({ name }) => name).sort(), ['Büro', 'clé no 2']);
    assert.equal(listed.security_keys[0]?.created, '2026-01-02T03:04:05.000000Z');
    await assert.rejects(accounts.renameSecurityKey('ada', 'Büro', 'clé no 2', ORIGIN), {
      code: 'security_key_exists',
    });
    await assert.rejects(accounts.renameSecurityKey('ada', 'yubi', 'x', ORIGIN), { code: 'security_key_missing' });
    await accounts.removeSecurityKey('ada', 'Büro', ORIGIN);
    await assert.rejects(accounts.removeSecurityKey('ada', 'Büro', ORIGIN), { code: 'security_key_missing' });
    await assert.rejects(login(PASSWORD), { code: 'wrong_security_token' });
    await accounts.removeSecurityKey('ada', 'clé no 2', ORIGIN);
    assert.equal((await login(PASSWORD)).username, 'ada');
    assert.deepEqual(Object.keys((await users.get('ada'))?.security_tokens ?? {}), []);
    assert.deepEqual(changes(), Array(5).fill('security_tokens'));
  });

  it('have names that are no parts of records, and are registered once', async (context) => {
    const { accounts, register } = await setUp(context);
    for (const name of ['', ' x', 'a.b', '__proto__', 'constructor', '-x', 'x'.repeat(65), 'a\u202eb', 'a/b']) {
      await assert.rejects(register(name), { code: 'invalid_key_name', kind: 'invalid_input' });
    }
    const key = await register('x'.repeat(64));
    await assert.rejects(register('x'.repeat(64)), { code: 'security_key_exists' });
    await assert.rejects(register('again', key), { code: 'security_key_exists' });
    assert.deepEqual(
      (await accounts.beginSecurityKey('ada', ADDRESS)).excludeCredentials?.map(({ id }) => id),
      [key.id],
    );
  });

  it('are at most twenty security keys', async (context) => {
    const { register } = await setUp(context);
    for (let number = 1; number <= 20; number += 1) await register(`key ${number}`);
    await assert.rejects(register('one more'), { code: 'too_many_security_keys' });
  });

  it('are not registered by a wrong answer, which counts as a failure of the address', async (context) => {
    const { accounts, register, users, login } = await setUp(context, { 'auth.internal.max_failures_per_address': 12 });
    const certificate = new Map([['x5c', [new Uint8Array([1])]]]);
    const tampered: readonly Tampering[] = [
      { origin: 'https://phishing.example' },
      { rpId: 'phishing.example' },
      { challenge: 'bWFkZS11cA' },
      { type: 'webauthn.get' },
      { flags: 0 },
      { attestation: ['none', new Map([['sig', new Uint8Array([1])]])] },
      {
        attestation: [
          'packed',
          new Map<string, number | Uint8Array>([
            ['alg', -7],
            ['sig', new Uint8Array([1])],
          ]),
        ],
      },
      { attestation: ['tpm', certificate] },
      { attestation: ['android-key', certificate] },
      { attestation: ['made-up', new Map()] },
    ];
    for (const tampering of tampered) {
      await assert.rejects(register('x', new SoftwareAuthenticator(), tampering), { code: 'invalid_security_key' });
    }
    const garbage = [...isoCBOR.encode(new Map([['attestationObject', new Uint8Array(9)]]))];
    for (const answer of [garbage, Array(1_000_000).fill(1)]) {
      await assert.rejects(accounts.addSecurityKey('ada', 'x', answer, ORIGIN), { code: 'invalid_security_key' });
    }
    await assert.rejects(accounts.addSecurityKey('ada', 'x', {}, ORIGIN), { code: 'too_many_failed_logins' });
    await assert.rejects(login({ ...PASSWORD, password: 'new' }), { code: 'too_many_failed_logins' });
    assert.equal((await users.get('ada'))?.security_tokens ?? undefined, undefined);
  });

  it('are registered in the form of the public system too, by one answer to one challenge', async (context) => {
    const { accounts } = await setUp(context);
    const answer = asBytes(new SoftwareAuthenticator().create(await accounts.beginSecurityKey('ada', ADDRESS)));
    await assert.rejects(accounts.addSecurityKey('grace', 'x', answer, ORIGIN), { code: 'invalid_security_key' });
    await assert.rejects(accounts.addSecurityKey('ada', 'x', answer, ORIGIN), /answered before/);
    const fresh = asBytes(new SoftwareAuthenticator().create(await accounts.beginSecurityKey('ada', ADDRESS)));
    await accounts.addSecurityKey('ada', 'x', fresh, ORIGIN);
    assert.equal((await accounts.list('ada')).security_keys.length, 1);
  });
});

describe('recovery codes', () => {
  it('stand in for the second factor, each once, and count as wrong ones when they are wrong', async (context) => {
    const { accounts, setUpOneTimePasswords, login, users, events, changes } = await setUp(context);
    await assert.rejects(accounts.renewRecoveryCodes('ada', ORIGIN), { code: 'no_second_factor' });
    assert.equal(await accounts.firstRecoveryCodes('ada', ORIGIN), undefined);
    const code = await setUpOneTimePasswords();
    const answers10 = await Promise.all([1, 2, 3].map(() => accounts.firstRecoveryCodes('ada', ORIGIN)));
    const codes = answers10.find((one) => one !== undefined) ?? [];
    assert.equal(answers10.filter((one) => one === undefined).length, 2, 'one of several callers gets them');
    assert.equal(new Set(codes).size, 10);
    for (const one of codes) assert.match(one, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    assert.equal(await accounts.firstRecoveryCodes('ada', ORIGIN), undefined, 'they are shown once');
    const [first = '', second = '', third = ''] = codes;
    assert.equal((await login({ ...PASSWORD, otp: first })).username, 'ada');
    await assert.rejects(login({ ...PASSWORD, otp: first }), { code: 'wrong_one_time_password' });
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
    const answers = await Promise.allSettled([1, 2, 3].map(() => login({ ...PASSWORD, otp: typed })));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await accounts.list('ada')).recovery_codes, 8);
    assert.equal((await login({ ...PASSWORD, otp: await code() })).username, 'ada');

    const stored = JSON.stringify(await users.get('ada')) + JSON.stringify(events);
    for (const one of codes) assert.ok(!stored.includes(one) && !stored.includes(one.replaceAll('-', '')));
    assert.equal(events.filter(({ event }) => event === 'recovery_code_used').length, 2);

    const renewed = await accounts.renewRecoveryCodes('ada', ORIGIN);
    await assert.rejects(login({ ...PASSWORD, otp: third }), { code: /wrong_one_time_password|locked_out/ });
    assert.equal(renewed.length, 10);
    assert.deepEqual(changes(), ['otp_sk', 'recovery_codes', 'recovery_codes']);
  });

  it('lock out who guesses them', async (context) => {
    const { accounts, register, login } = await setUp(context);
    await register('yubi');
    const [code = ''] = await accounts.renewRecoveryCodes('ada', ORIGIN);
    for (let number = 0; number < 5; number += 1) {
      await assert.rejects(login({ ...PASSWORD, otp: '0000-0000-0000-0000' }), { code: 'wrong_security_token' });
    }
    await assert.rejects(login({ ...PASSWORD, otp: code }), { code: 'locked_out' });
  });

  it('go with the last second factor, and with all of them at once', async (context) => {
    const { accounts, register, setUpOneTimePasswords, login, users, changes } = await setUp(context);
    await register('yubi');
    await setUpOneTimePasswords();
    await accounts.firstRecoveryCodes('ada', ORIGIN);
    await accounts.removeOneTimePasswords('ada', ORIGIN);
    assert.equal((await accounts.list('ada')).recovery_codes, 10);
    await accounts.removeSecurityKey('ada', 'yubi', ORIGIN);
    assert.equal((await accounts.list('ada')).recovery_codes, 0);
    await register('yubi');
    await accounts.firstRecoveryCodes('ada', ORIGIN);
    await accounts.removeAll('ada', { ...ORIGIN, by: 'root' });
    const { otp_sk, security_tokens, security_token_details, recovery_codes } = (await users.get('ada')) ?? {};
    assert.deepEqual(
      [otp_sk, security_tokens, security_token_details, recovery_codes].map((one) => one ?? null),
      [null, null, null, null],
    );
    assert.equal(changes().at(-1), 'security_tokens,recovery_codes');
    assert.equal((await login(PASSWORD)).username, 'ada');
    await assert.rejects(accounts.removeAll('unknown', ORIGIN), { code: 'document_missing' });
  });
});

describe('a login in two steps', () => {
  it('says which second factors there are, with a challenge, after the right password alone', async (context) => {
    const { accounts, register, setUpOneTimePasswords, analysisIdentity } = await setUp(context);
    const { people } = analysisIdentity;
    const signIn = (given: object, password = 'password') => people.verify('ada', password, given, ADDRESS);
    assert.equal((await signIn({})).outcome, 'verified');
    const key = await register('yubi');
    await setUpOneTimePasswords();
    await accounts.firstRecoveryCodes('ada', ORIGIN);
    await assert.rejects(signIn({}, 'wrong'), { code: 'invalid_login' });
    const first = await signIn({});
    assert.ok(first.outcome === 'second_factor_required' && first.challenge !== undefined);
    assert.deepEqual(first.kinds, ['security_key', 'one_time_password', 'recovery_code']);
    await assert.rejects(signIn({ otp: '000000' }), { code: 'wrong_one_time_password' });
    const second = await signIn({ webauthn_auth_resp: key.get(first.challenge) });
    assert.ok(second.outcome === 'verified' && second.factor === 'security_key');
    assert.equal(second.caller.user.uname, 'ada');
    for (let number = 0; number < 10; number += 1) assert.equal((await signIn({})).outcome, 'second_factor_required');
  });
});
