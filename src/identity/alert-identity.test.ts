import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, openIdentityWithUsers, saveUser, storedKey } from '../testing/identity/open-test-identity.ts';
import { until } from '../testing/until.ts';

const IMPERSONATION_KEY_MISUSED =
  'Cannot use impersonation key in normal Authorization Header! Provide your credentials and supply it in the X-Impersonating header instead.';
const LOCKED = 'Maximum password retry of 5 was reached. This account is locked for the next 60 seconds...';

const refused = (code: string, message?: string) => (message === undefined ? { code } : { code, message });

describe('Basic', () => {
  it('lets passwords in with R, W and E', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context);
    const actor = await authenticate(basic('ada:password'));
    assert.equal(actor.username, 'ada');
    assert.equal(actor.isAdmin, true);
    assert.equal(actor.classification, 'RESTRICTED//ADMIN//ANY');
    assert.equal(actor.method, 'password');
    assert.equal(actor.email, 'ada@example.org');
    assert.equal(actor.quota, 25);
    assert.deepEqual([...actor.privileges], ['R', 'W', 'E']);
    assert.deepEqual([...actor.roles], ['admin', 'user']);
  });

  it('lets API keys in with their own privileges', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context);
    const actor = await authenticate(basic('ada:readonly:secret'));
    assert.equal(actor.method, 'api_key');
    assert.equal(actor.keyName, 'readonly');
    assert.deepEqual([...actor.privileges], ['R']);
    assert.equal((await authenticate(basic('ada:later:secret'))).keyName, 'later');
    assert.equal((await authenticate(basic('ada:old:secret'))).keyName, 'old');
  });

  it('gives the same actor again while nothing changed', async (context) => {
    const { authenticate, users } = await openIdentityWithUsers(context);
    await authenticate(basic('ada:devkey:secret'));
    // The first use of a day changes the account.
    await until('the use of the key is stored', async () => {
      return (await users.get('ada'))?.key_details?.devkey?.last_used !== undefined;
    });
    assert.equal(await authenticate(basic('ada:devkey:secret')), await authenticate(basic('ada:devkey:secret')));
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    ['ada:wrong', 'invalid_login', 'Invalid login information'],
    ['ada:', 'invalid_login', 'Invalid login information'],
    [':', 'invalid_login', 'Invalid login information'],
    ['ghost:password', 'invalid_login', 'Invalid login information'],
    ['ghost:devkey:secret', 'invalid_login', 'Invalid login information'],
    ['ada:devkey:wrong', 'invalid_login', 'Invalid login information'],
    ['ada:missing:secret', 'unknown_api_key', 'API Key does not exist'],
    ['ada:constructor:secret', 'unknown_api_key', 'API Key does not exist'],
    ['ada:__proto__:secret', 'unknown_api_key', 'API Key does not exist'],
    ['ada:expired:secret', 'expired_api_key', 'Key is expired'],
    ['ada:impersonate:secret', 'impersonation_key_misused', IMPERSONATION_KEY_MISUSED],
  ];
  for (const [credential, code, message] of refusals) {
    it(`refuses ${credential}`, async (context) => {
      const { authenticate } = await openIdentityWithUsers(context);
      await assert.rejects(authenticate(basic(credential)), refused(code, message));
    });
  }

  it('refuses keys and passwords that are switched off', async (context) => {
    const keysOff = await openIdentityWithUsers(context, { 'auth.allow_apikeys': false });
    await assert.rejects(
      keysOff.authenticate(basic('ada:devkey:secret')),
      refused('api_keys_disabled', 'API Key authentication disabled'),
    );
    assert.equal((await keysOff.authenticate(basic('ada:password'))).method, 'password');
    const passwordsOff = await openIdentityWithUsers(context, { 'auth.internal.enabled': false });
    assert.equal((await passwordsOff.authenticate(basic('ada:devkey:secret'))).method, 'api_key');
    await assert.rejects(
      passwordsOff.authenticate(basic('ada:password')),
      refused('password_login_disabled', 'Username/Password authentication disabled'),
    );
  });

  it('notices a change of password, the end of a key and the end of a user at once', async (context) => {
    const { authenticate, accounts, apiKeys } = await openIdentityWithUsers(context);
    await authenticate(basic('ada:password'));
    await accounts.setPassword('ada', 'another-long-one');
    await assert.rejects(authenticate(basic('ada:password')), refused('invalid_login'));
    await authenticate(basic('ada:another-long-one'));
    await authenticate(basic('ada:devkey:secret'));
    await apiKeys.delete('ada', 'devkey');
    await assert.rejects(authenticate(basic('ada:devkey:secret')), refused('unknown_api_key'));
    await accounts.delete('ada');
    await assert.rejects(authenticate(basic('ada:another-long-one')), refused('invalid_login'));
  });

  it('notices what another process wrote after a second', async (context) => {
    const { authenticate, collection, clock } = await openIdentityWithUsers(context);
    await authenticate(basic('grace:devkey:secret'));
    await collection.update('grace', [{ op: 'unset', path: 'apikeys.devkey' }]);
    clock.now += 1000;
    await assert.rejects(authenticate(basic('grace:devkey:secret')), refused('unknown_api_key'));
  });

  it('notices the expiry of a key that it has seen before', async (context) => {
    const { authenticate, users, clock } = await openIdentityWithUsers(context);
    const expiry_date = new Date(clock.now + 500).toISOString();
    await saveUser(users, 'alan', { apikeys: { short: storedKey('secret', ['R'], { expiry_date }) } });
    await authenticate(basic('alan:short:secret'));
    clock.now += 500;
    await assert.rejects(authenticate(basic('alan:short:secret')), refused('expired_api_key'));
  });
});

describe('a password with a colon', () => {
  const password = 'looks:like-a-key';

  it('logs in although it looks like an API key', async (context) => {
    const { authenticate, accounts } = await openIdentityWithUsers(context);
    await accounts.setPassword('grace', password);
    assert.equal((await authenticate(basic(`grace:${password}`))).method, 'password');
    assert.equal((await authenticate(basic(`grace:${password}`))).method, 'password');
  });

  it('cannot be guessed without limit, and guesses lock no one out', async (context) => {
    const { authenticate, accounts } = await openIdentityWithUsers(context);
    await accounts.setPassword('grace', password);
    for (let count = 0; count < 8; count += 1) {
      await assert.rejects(authenticate(basic(`grace:guess:${count}`)), refused('unknown_api_key'));
    }
    await assert.rejects(authenticate(basic(`grace:${password}`)), refused('unknown_api_key'));
    await authenticate(basic('grace:devkey:secret'));
  });
});

describe('lock-out', () => {
  it('refuses passwords after five failures, for a minute, and no API key', async (context) => {
    const { authenticate, identity } = await openIdentityWithUsers(context);
    await authenticate(basic('ada:password'));
    for (let count = 0; count < 5; count += 1) {
      await assert.rejects(authenticate(basic(`ada:bad${count}`)), refused('invalid_login'));
    }
    await assert.rejects(authenticate(basic('ada:bad9')), refused('locked_out', LOCKED));
    await assert.rejects(authenticate(basic('ada:password')), refused('locked_out', LOCKED));
    await assert.rejects(
      identity.login({ user: 'ada', password: 'password', address: '192.0.2.1' }),
      refused('locked_out', LOCKED),
    );
    assert.equal((await authenticate(basic('ada:devkey:secret'))).method, 'api_key');
    assert.equal((await authenticate(basic('grace:password'))).username, 'grace');
  });

  it('holds for users who do not exist too, so that no one learns who does', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context);
    for (let count = 0; count < 5; count += 1) {
      await assert.rejects(authenticate(basic(`ghost:bad${count}`)), refused('invalid_login'));
    }
    await assert.rejects(authenticate(basic('ghost:bad9')), refused('locked_out', LOCKED));
  });

  it('does not count right passwords, also many at once', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context);
    const actors = await Promise.all(Array.from({ length: 20 }, () => authenticate(basic('ada:password'))));
    assert.equal(actors.length, 20);
    await authenticate(basic('ada:password'));
  });

  it('refuses an address after too many failures, regardless of who it tries', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context, { 'auth.internal.max_failures_per_address': 3 });
    for (let count = 0; count < 3; count += 1)
      await assert.rejects(authenticate(basic(`user${count}:x`)), refused('invalid_login'));
    await assert.rejects(authenticate(basic('ada:password')), refused('too_many_failed_logins'));
    await authenticate(basic('ada:password'), { address: '192.0.2.2' });
    await authenticate(basic('ada:devkey:secret'));
  });
});

describe('the log', () => {
  it('tells of refused credentials without showing them', async (context) => {
    const { authenticate, lines } = await openIdentityWithUsers(context);
    await assert.rejects(authenticate(basic('ada:hunter2')));
    await assert.rejects(authenticate(undefined));
    assert.equal(lines.length, 1);
    assert.match(lines[0]?.message ?? '', /authentication refused: Invalid login information/);
    assert.doesNotMatch(JSON.stringify(lines), /hunter2/);
  });
});
