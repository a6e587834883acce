import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, openIdentityWithUsers, saveUser } from '../testing/identity/open-test-identity.ts';

const IMPERSONATION_KEY_MISUSED =
  'Cannot use impersonation key in normal Authorization Header! Provide your credentials and supply it in the X-Impersonating header instead.';

const refused = (code: string, message?: string) => (message === undefined ? { code } : { code, message });

describe('app tokens', () => {
  it('keep the privileges of what they were exchanged for', async (context) => {
    const { identity, authenticate } = await openIdentityWithUsers(context);
    const { appToken, actor } = await identity.login({ user: 'ada', apikey: 'readonly:secret', address: '' });
    assert.match(appToken, /^ada:[0-9a-f]{64}$/);
    assert.deepEqual([...actor.privileges], ['R']);
    const again = await authenticate(`Bearer ${appToken}`);
    assert.equal(again.method, 'app_token');
    assert.deepEqual([...again.privileges], ['R']);
  });

  it('stay good beside later ones and end with the password, the key or the account', async (context) => {
    const { identity, authenticate, accounts, apiKeys } = await openIdentityWithUsers(context);
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
      const { authenticate } = await openIdentityWithUsers(context);
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
      const { identity } = await openIdentityWithUsers(context);
      await assert.rejects(identity.login({ ...request, address }), refused(code, message));
    });
  }
});

describe('X-Impersonating', () => {
  it('makes the caller act as another user, and says so in the log', async (context) => {
    const { authenticate, lines } = await openIdentityWithUsers(context);
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
      const { authenticate } = await openIdentityWithUsers(context);
      await assert.rejects(
        authenticate(basic('grace:password'), { impersonating: basic(credential) }),
        refused(code, message),
      );
    });
  }

  it('refuses callers who are no agents of the key, and callers without a credential of their own', async (context) => {
    const { authenticate, users } = await openIdentityWithUsers(context);
    await saveUser(users, 'alan');
    const impersonating = basic('ada:impersonate:secret');
    await assert.rejects(authenticate(basic('alan:password'), { impersonating }), refused('not_an_impersonation_key'));
    await assert.rejects(authenticate(basic('grace:missing:x'), { impersonating }), refused('unknown_api_key'));
    await assert.rejects(authenticate(undefined, { impersonating }), refused('no_credentials'));
  });
});

describe('an account that is switched off', () => {
  it('is admitted only where it is told so', async (context) => {
    const { authenticate, accounts, identity } = await openIdentityWithUsers(context);
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
    const { authenticate, users } = await openIdentityWithUsers(context);
    await saveUser(users, 'alan', { type: ['admin'] });
    const [grace, alan] = [await authenticate(basic('grace:password')), await authenticate(basic('alan:password'))];
    assert.equal(grace.searchAccess.admits(restricted), false);
    assert.equal(grace.readAccess.admits(restricted), false);
    assert.equal(alan.searchAccess.admits(restricted), false);
    assert.equal(alan.readAccess.admits(restricted), true);
  });

  it('is a stored filter where there is one', async (context) => {
    const { authenticate, users, lines } = await openIdentityWithUsers(context);
    await saveUser(users, 'alan', { access_control: '__access_lvl__:[0 TO 200]' });
    assert.equal((await authenticate(basic('alan:password'))).searchAccess.admits(restricted), true);
    await saveUser(users, 'edsger', { access_control: '(((' });
    assert.equal((await authenticate(basic('edsger:password'))).searchAccess.admits(restricted), false);
    assert.match(lines.at(-1)?.message ?? '', /access_control of user edsger is not a query/);
  });

  it('is not filtered for searches where the configuration says so', async (context) => {
    const { authenticate } = await openIdentityWithUsers(context, {
      'auth.users_without_access_control': 'unfiltered',
    });
    const actor = await authenticate(basic('grace:password'));
    assert.equal(actor.searchAccess.admits(restricted), true);
    assert.equal(actor.readAccess.admits(restricted), false);
  });
});
