import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { hash as bcryptHash } from '@node-rs/bcrypt';
import { basic, openTestIdentity, saveUser, storedKey } from '../testing/open-test-identity.ts';
import type { PresentedCredentials } from './identity.ts';

const IMPERSONATION_KEY_MISUSED =
  'Cannot use impersonation key in normal Authorization Header! Provide your credentials and supply it in the X-Impersonating header instead.';
const LOCKED = 'Maximum password retry of 5 was reached. This account is locked for the next 60 seconds...';

async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openTestIdentity(context, flags);
  await saveUser(parts.users, 'ada', {
    type: ['admin', 'user'],
    classification: 'RESTRICTED//ADMIN//ANY',
    email: 'ada@example.org',
    apikeys: {
      devkey: storedKey('secret', ['R', 'W', 'E']),
      readonly: storedKey('secret', ['R']),
      expired: storedKey('secret', ['R'], { expiry_date: '2023-05-30T05:12:28.000000Z' }),
      later: storedKey('secret', ['R'], { expiry_date: '3000-01-01T00:00:00.000000Z' }),
      old: { ...storedKey('', ['R']), password: await bcryptHash('secret', { cost: 4 }) },
      impersonate: storedKey('secret', ['R', 'I'], { agents: ['grace'] }),
    },
  });
  await saveUser(parts.users, 'grace', { type: ['user'], apikeys: { devkey: storedKey('secret', ['R', 'W', 'E']) } });
  const authenticate = (authorization: string | undefined, more: Partial<PresentedCredentials> = {}) =>
    parts.identity.authenticate({ authorization, impersonating: undefined, address: '192.0.2.1', ...more });
  return { ...parts, authenticate };
}

const refused = (code: string, message?: string) => (message === undefined ? { code } : { code, message });

describe('Basic', () => {
  it('lets passwords in with R, W and E', async (context) => {
    const { authenticate } = await setUp(context);
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
    const { authenticate } = await setUp(context);
    const actor = await authenticate(basic('ada:readonly:secret'));
    assert.equal(actor.method, 'api_key');
    assert.equal(actor.keyName, 'readonly');
    assert.deepEqual([...actor.privileges], ['R']);
    assert.equal((await authenticate(basic('ada:later:secret'))).keyName, 'later');
    assert.equal((await authenticate(basic('ada:old:secret'))).keyName, 'old');
  });

  it('gives the same actor again while nothing changed', async (context) => {
    const { authenticate } = await setUp(context);
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
      const { authenticate } = await setUp(context);
      await assert.rejects(authenticate(basic(credential)), refused(code, message));
    });
  }

  it('refuses keys and passwords that are switched off', async (context) => {
    const keysOff = await setUp(context, { 'auth.allow_apikeys': false });
    await assert.rejects(
      keysOff.authenticate(basic('ada:devkey:secret')),
      refused('api_keys_disabled', 'API Key authentication disabled'),
    );
    assert.equal((await keysOff.authenticate(basic('ada:password'))).method, 'password');
    const passwordsOff = await setUp(context, { 'auth.internal.enabled': false });
    assert.equal((await passwordsOff.authenticate(basic('ada:devkey:secret'))).method, 'api_key');
    await assert.rejects(
      passwordsOff.authenticate(basic('ada:password')),
      refused('password_login_disabled', 'Username/Password authentication disabled'),
    );
  });

  it('notices a change of password, the end of a key and the end of a user at once', async (context) => {
    const { authenticate, accounts, apiKeys } = await setUp(context);
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
    const { authenticate, collection, clock } = await setUp(context);
    await authenticate(basic('grace:devkey:secret'));
    await collection.update('grace', [{ op: 'unset', path: 'apikeys.devkey' }]);
    clock.now += 1000;
    await assert.rejects(authenticate(basic('grace:devkey:secret')), refused('unknown_api_key'));
  });

  it('notices the expiry of a key that it has seen before', async (context) => {
    const { authenticate, users, clock } = await setUp(context);
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
    const { authenticate, accounts } = await setUp(context);
    await accounts.setPassword('grace', password);
    assert.equal((await authenticate(basic(`grace:${password}`))).method, 'password');
    assert.equal((await authenticate(basic(`grace:${password}`))).method, 'password');
  });

  it('cannot be guessed without limit, and guesses lock nobody out', async (context) => {
    const { authenticate, accounts } = await setUp(context);
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
    const { authenticate, identity } = await setUp(context);
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

  it('holds for users who do not exist too, so that nobody learns who does', async (context) => {
    const { authenticate } = await setUp(context);
    for (let count = 0; count < 5; count += 1) {
      await assert.rejects(authenticate(basic(`ghost:bad${count}`)), refused('invalid_login'));
    }
    await assert.rejects(authenticate(basic('ghost:bad9')), refused('locked_out', LOCKED));
  });

  it('does not count right passwords, also many at once', async (context) => {
    const { authenticate } = await setUp(context);
    const actors = await Promise.all(Array.from({ length: 20 }, () => authenticate(basic('ada:password'))));
    assert.equal(actors.length, 20);
    await authenticate(basic('ada:password'));
  });

  it('refuses an address after too many failures, whoever it tries', async (context) => {
    const { authenticate } = await setUp(context, { 'auth.internal.max_failures_per_address': 3 });
    for (let count = 0; count < 3; count += 1)
      await assert.rejects(authenticate(basic(`user${count}:x`)), refused('invalid_login'));
    await assert.rejects(authenticate(basic('ada:password')), refused('too_many_failed_logins'));
    await authenticate(basic('ada:password'), { address: '192.0.2.2' });
    await authenticate(basic('ada:devkey:secret'));
  });
});

describe('app tokens', () => {
  it('keep the privileges of what they were exchanged for', async (context) => {
    const { identity, authenticate } = await setUp(context);
    const { appToken, actor } = await identity.login({ user: 'ada', apikey: 'readonly:secret', address: '' });
    assert.match(appToken, /^ada:[0-9a-f]{64}$/);
    assert.deepEqual([...actor.privileges], ['R']);
    const again = await authenticate(`Bearer ${appToken}`);
    assert.equal(again.method, 'app_token');
    assert.deepEqual([...again.privileges], ['R']);
  });

  it('stay good beside later ones and end with the password, the key or the account', async (context) => {
    const { identity, authenticate, accounts, apiKeys } = await setUp(context);
    const login = async (user: string) =>
      `Bearer ${(await identity.login({ user, password: 'password', address: '' })).appToken}`;
    const first = await login('ada');
    await login('ada');
    assert.equal((await authenticate(first)).username, 'ada');
    const ofKey = await identity.login({ user: 'ada', apikey: 'devkey:secret', address: '' });
    await apiKeys.delete('ada', 'devkey');
    await assert.rejects(authenticate(`Bearer ${ofKey.appToken}`), refused('invalid_token', 'Invalid token'));
    await accounts.setPassword('ada', 'another-long-one');
    await assert.rejects(authenticate(first), refused('invalid_token'));
    const ofGrace = await login('grace');
    await accounts.setActive('grace', false);
    await assert.rejects(authenticate(ofGrace), refused('invalid_token'));
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    [`Bearer ada:${'0'.repeat(64)}`, 'invalid_token', 'Invalid token'],
    [`Bearer ghost:${'0'.repeat(64)}`, 'invalid_token', 'Invalid token'],
    ['Bearer ada:', 'no_authenticated_user', 'No authenticated user found'],
    ['Bearer a.b.c', 'invalid_token', 'Something went wrong when decoding your key. Please reauthenticate.'],
  ];
  for (const [header, code, message] of refusals) {
    it(`refuses ${header.slice(0, 20)}`, async (context) => {
      const { authenticate } = await setUp(context);
      await assert.rejects(authenticate(header), refused(code, message));
    });
  }
});

describe('login', () => {
  const address = '192.0.2.1';
  const refusals: readonly (readonly [object, string, string])[] = [
    [
      { user: 'ada', password: 'password', apikey: 'devkey:secret' },
      'ambiguous_login',
      'Cannot specify password and API key.',
    ],
    [{ user: 'ada' }, 'incomplete_login', 'Not enough information to proceed with authentication'],
    [{ password: 'password' }, 'incomplete_login', 'Not enough information to proceed with authentication'],
    [{ user: '', password: '' }, 'incomplete_login', 'Not enough information to proceed with authentication'],
    [{ user: 'ada', password: 'devkey:secret' }, 'invalid_login', 'Invalid login information'],
    [{ user: 'ada', apikey: 'password' }, 'invalid_login', 'Invalid login information'],
    [{ user: 'ada', apikey: 'devkey:wrong' }, 'invalid_login', 'Invalid login information'],
    [{ user: 'ghost', apikey: 'devkey:secret' }, 'invalid_login', 'Invalid login information'],
    [{ user: 'ada', apikey: 'missing:secret' }, 'unknown_api_key', 'API Key does not exist'],
    [{ user: 'ada', apikey: 'expired:secret' }, 'expired_api_key', 'Key is expired'],
    [{ user: 'ada', apikey: 'impersonate:secret' }, 'impersonation_key_misused', IMPERSONATION_KEY_MISUSED],
  ];
  for (const [request, code, message] of refusals) {
    it(`refuses ${JSON.stringify(request)}`, async (context) => {
      const { identity } = await setUp(context);
      await assert.rejects(identity.login({ ...request, address }), refused(code, message));
    });
  }
});

describe('X-Impersonating', () => {
  it('makes the caller act as another user, and says so in the log', async (context) => {
    const { authenticate, lines } = await setUp(context);
    const actor = await authenticate(basic('grace:password'), {
      impersonating: basic('ada:impersonate:secret'),
      requestId: 'request-1',
    });
    assert.equal(actor.username, 'ada');
    assert.equal(actor.impersonator, 'grace');
    assert.deepEqual([...actor.privileges], ['R', 'I']);
    const [line] = lines;
    assert.equal(line?.level, 'warn');
    assert.equal(line?.message, 'grace is impersonating ada');
    assert.deepEqual(
      { ...line?.entry },
      {
        user: 'ada',
        impersonator: 'grace',
        keyName: 'impersonate',
        address: '192.0.2.1',
        userAgent: undefined,
        requestId: 'request-1',
      },
    );
  });

  const refusals: readonly (readonly [string, string, string])[] = [
    ['ada:devkey:secret', 'not_an_impersonation_key', 'Not a valid impersonation api key'],
    ['ada:impersonate:wrong', 'no_impersonated_user', 'No impersonated user found'],
    ['ada:missing:secret', 'no_impersonated_user', 'No impersonated user found'],
    ['ada:expired:secret', 'no_impersonated_user', 'No impersonated user found'],
    ['ada:password', 'no_impersonated_user', 'No impersonated user found'],
    ['ghost:impersonate:secret', 'no_impersonated_user', 'No impersonated user found'],
  ];
  for (const [credential, code, message] of refusals) {
    it(`refuses ${credential}`, async (context) => {
      const { authenticate } = await setUp(context);
      await assert.rejects(
        authenticate(basic('grace:password'), { impersonating: basic(credential) }),
        refused(code, message),
      );
    });
  }

  it('refuses callers who are no agents of the key, and callers without a credential of their own', async (context) => {
    const { authenticate, users } = await setUp(context);
    await saveUser(users, 'alan');
    const impersonating = basic('ada:impersonate:secret');
    await assert.rejects(authenticate(basic('alan:password'), { impersonating }), refused('not_an_impersonation_key'));
    await assert.rejects(authenticate(basic('grace:missing:x'), { impersonating }), refused('unknown_api_key'));
    await assert.rejects(authenticate(undefined, { impersonating }), refused('no_credentials'));
  });
});

describe('an account that is switched off', () => {
  it('is let in only where it is told so', async (context) => {
    const { authenticate, accounts, identity } = await setUp(context);
    await authenticate(basic('grace:devkey:secret'));
    await accounts.setActive('grace', false);
    for (const credential of ['grace:password', 'grace:devkey:secret']) {
      await assert.rejects(authenticate(basic(credential)), refused('account_disabled'));
      assert.equal((await authenticate(basic(credential), { allowInactive: true })).username, 'grace');
    }
    await assert.rejects(
      identity.login({ user: 'grace', password: 'password', address: '' }),
      refused('account_disabled'),
    );
    await accounts.setActive('ada', false);
    await accounts.setActive('grace', true);
    await assert.rejects(
      authenticate(basic('grace:password'), { impersonating: basic('ada:impersonate:secret') }),
      refused('account_disabled'),
    );
  });
});

describe('what an actor may see', () => {
  const restricted = {
    __access_lvl__: 200,
    __access_req__: [],
    __access_grp1__: ['__EMPTY__'],
    __access_grp2__: ['__EMPTY__'],
  };

  it('comes from the classification; administrators see every record that they ask for', async (context) => {
    const { authenticate, users } = await setUp(context);
    await saveUser(users, 'alan', { type: ['admin'] });
    const [grace, alan] = [await authenticate(basic('grace:password')), await authenticate(basic('alan:password'))];
    assert.equal(grace.searchAccess.admits(restricted), false);
    assert.equal(grace.readAccess.admits(restricted), false);
    assert.equal(alan.searchAccess.admits(restricted), false);
    assert.equal(alan.readAccess.admits(restricted), true);
  });

  it('is a stored filter where there is one', async (context) => {
    const { authenticate, users, lines } = await setUp(context);
    await saveUser(users, 'alan', { access_control: '__access_lvl__:[0 TO 200]' });
    assert.equal((await authenticate(basic('alan:password'))).searchAccess.admits(restricted), true);
    await saveUser(users, 'edsger', { access_control: '(((' });
    assert.equal((await authenticate(basic('edsger:password'))).searchAccess.admits(restricted), false);
    assert.match(lines.at(-1)?.message ?? '', /access_control of user edsger is not a query/);
  });

  it('is not filtered for searches where the configuration says so', async (context) => {
    const { authenticate } = await setUp(context, { 'auth.users_without_access_control': 'unfiltered' });
    const actor = await authenticate(basic('grace:password'));
    assert.equal(actor.searchAccess.admits(restricted), true);
    assert.equal(actor.readAccess.admits(restricted), false);
  });
});

describe('the log', () => {
  it('tells of refused credentials without showing them', async (context) => {
    const { authenticate, lines } = await setUp(context);
    await assert.rejects(authenticate(basic('ada:hunter2')));
    await assert.rejects(authenticate(undefined));
    assert.equal(lines.length, 1);
    assert.match(lines[0]?.message ?? '', /authentication refused: Invalid login information/);
    assert.doesNotMatch(JSON.stringify(lines), /hunter2/);
  });
});
