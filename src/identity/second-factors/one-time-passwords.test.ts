import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { generate } from 'otplib';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';

const ORIGIN = { service: 'analysis', by: 'ada' } as const;
const PASSWORD = { user: 'ada', password: 'password' };

/** Ada with one-time passwords, some periods ago. */
async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openAnalysisIdentity(context, flags);
  const { factorAccounts } = parts.analysisIdentity;
  const code = (secret: string, seconds = 0) =>
    generate({ secret, epoch: Math.floor(parts.clock.now / 1000) + seconds });
  const { secret, address } = await factorAccounts.beginOneTimePasswords('ada');
  await factorAccounts.confirmOneTimePasswords('ada', await code(secret), ORIGIN);
  parts.clock.now += 300_000;
  return { ...parts, factorAccounts, secret, address, code: (seconds = 0) => code(secret, seconds) };
}

describe('one-time passwords', () => {
  it('are asked for beside the password, and not beside an API key', async (context) => {
    const { login, code } = await setUp(context);
    const wrong = {
      code: 'wrong_one_time_password',
      message: 'Wrong OTP token',
      response: '',
      kind: 'unauthenticated',
    };
    for (const otp of [undefined, '', '000000', '12345', 'abcdef', `${await code()}0`]) {
      await assert.rejects(login({ ...PASSWORD, otp }), { code: /wrong_one_time_password|locked_out/ });
      if (otp === undefined) await assert.rejects(login(PASSWORD), wrong);
    }
    assert.equal((await login({ user: 'grace', password: 'password', otp: '000000' })).username, 'grace');
  });

  it('admit with the right code, also when clocks are one period apart', async (context) => {
    const { login, code } = await setUp(context);
    for (const seconds of [-30, 0, 30]) {
      assert.equal((await login({ ...PASSWORD, otp: await code(seconds) })).username, 'ada', `${seconds} s`);
    }
    await assert.rejects(login({ ...PASSWORD, otp: await code(-90) }), { code: 'wrong_one_time_password' });
    await assert.rejects(login({ ...PASSWORD, otp: await code(90) }), { code: 'wrong_one_time_password' });
  });

  it('are good once: who looked over a shoulder comes too late, also at the same moment', async (context) => {
    const { login, code, clock } = await setUp(context);
    const otp = await code();
    const answers = await Promise.allSettled([1, 2, 3].map(() => login({ ...PASSWORD, otp })));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    clock.now += 30_000;
    await assert.rejects(login({ ...PASSWORD, otp }), { code: 'wrong_one_time_password' });
  });

  it('lock out anyone who guesses them, with the right password too', async (context) => {
    const { login, code } = await setUp(context);
    for (let number = 0; number < 5; number += 1) {
      await assert.rejects(login({ ...PASSWORD, otp: '000000' }), { code: 'wrong_one_time_password' });
    }
    await assert.rejects(login({ ...PASSWORD, otp: await code() }), { code: 'locked_out', response: '' });
  });

  it('are not asked for where the settings switch them off', async (context) => {
    const { login } = await setUp(context, { 'analysis.auth.allow_2fa': false });
    assert.equal((await login(PASSWORD)).username, 'ada');
  });

  it('count once they were confirmed with a code, and are set up once', async (context) => {
    const { factorAccounts, login, address, secret } = await setUp(context);
    assert.match(address, /^otpauth:\/\/totp\/Triad:ada\?/);
    assert.equal(new URL(address).searchParams.get('secret'), secret);
    await assert.rejects(factorAccounts.beginOneTimePasswords('ada'), {
      code: 'second_factor_exists',
      message: 'OTP already set for this user',
    });
    const begun = await factorAccounts.beginOneTimePasswords('grace');
    assert.equal((await login({ user: 'grace', password: 'password' })).username, 'grace', 'not confirmed');
    for (const [user, code] of [
      ['grace', '000000'],
      ['nobody', '000000'],
    ] as const) {
      await assert.rejects(factorAccounts.confirmOneTimePasswords(user, code, ORIGIN), {
        kind: 'invalid_input',
        code: 'wrong_one_time_password',
        message: 'OTP token does not match secret key',
        response: { success: false },
      });
    }
    assert.notEqual(begun.secret, secret);
  });

  it('are taken away again, and the audit log has both without the secret', async (context) => {
    const { factorAccounts, login, events, secret, users } = await setUp(context);
    await factorAccounts.removeAll('ada', { ...ORIGIN, by: 'root' });
    assert.equal((await login(PASSWORD)).username, 'ada');
    assert.equal((await users.get('ada'))?.otp_sk ?? undefined, undefined);
    const told = events.filter(({ event }) => event === 'user_changed');
    assert.deepEqual(
      told.map(({ user, by, fields }) => [user, by, fields]),
      [
        ['ada', 'ada', ['otp_sk']],
        ['ada', 'root', ['otp_sk']],
      ],
    );
    assert.doesNotMatch(JSON.stringify(events), new RegExp(secret));
  });

  it('stand for security tokens too, which cannot be verified here: without a code no one is admitted', async (context) => {
    const { login, users } = await openAnalysisIdentity(context);
    await users.update('ada', [{ op: 'set', path: 'security_tokens', value: { yubi: 'x' } }]);
    await assert.rejects(login(PASSWORD), {
      code: 'wrong_security_token',
      message: 'Wrong Security Token',
      response: '',
    });
  });
});
