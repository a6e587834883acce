import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { basic, openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import type { Actor } from '../actor.ts';

const ADMIN = anActor({ username: 'admin', isAdmin: true });
const PASSWORD = 'long-enough-pw-1';

async function setUp(context: TestContext) {
  const parts = await openTestIdentity(context);
  const login = (credential: string) => parts.identity.authenticate(presented({ authorization: basic(credential) }));
  return { ...parts, login };
}

describe('creating an account', () => {
  it('gives it defaults and a password', async (context) => {
    const { accounts, login } = await setUp(context);
    const user = await accounts.create('gu', { name: 'Golden User', new_pass: PASSWORD, email: 'gu@x.example' });
    assert.deepEqual(user.type, ['user', 'actionrunner_basic']);
    assert.equal(user.classification, 'UNRESTRICTED');
    assert.equal(user.api_quota, 25);
    assert.match(user.password, /^\$argon2id\$/);
    assert.equal((await login(`gu:${PASSWORD}`)).name, 'Golden User');
  });

  it('takes the user name for an empty name, and no password for none', async (context) => {
    const { accounts, login } = await setUp(context);
    const user = await accounts.create('gu', { name: '' });
    assert.equal(user.name, 'gu');
    await assert.rejects(login('gu:__NO_PASSWORD__'), { code: 'invalid_login' });
  });

  it('normalises the classification and ignores what callers do not set', async (context) => {
    const { accounts } = await setUp(context);
    const input = {
      name: 'x',
      classification: 'r//god',
      apikeys: { a: {} },
      password: 'x',
      roles: ['admin'],
      unknown: 1,
    };
    const user = await accounts.create('gu', input);
    assert.equal(user.classification, 'RESTRICTED//ADMIN');
    assert.deepEqual(user.apikeys, {});
    assert.notEqual(user.password, 'x');
  });

  const refusals: readonly (readonly [string, unknown, string, string | RegExp])[] = [
    ['gu', [], 'invalid_user', 'Invalid data format'],
    ['gu', null, 'invalid_user', 'Invalid data format'],
    ['gu', { new_pass: PASSWORD }, 'invalid_user', /name of the user is missing/],
    ['gu', { name: 'x', new_pass: 'short' }, 'weak_password', 'Password needs to be at least 12 characters'],
    ['gu', { name: 'x', new_pass: 5 }, 'invalid_user', /must be a string/],
    ['g{}u', { name: 'x' }, 'invalid_username', "You can't use '{}' in the username"],
    ['g:u', { name: 'x' }, 'invalid_username', /without colon/],
    ['', { name: 'x' }, 'invalid_username', /1 to 256/],
    // Everyone may change what lies under this name.
    ['__global__', { name: 'x' }, 'invalid_username', /two underscores are reserved/],
    ['taken', { name: 'x' }, 'user_exists', 'The username you are trying to add already exists.'],
    ['gu', { name: 'x', type: ['wizard'] }, 'invalid_document', /^\[user\.type\] wizard not in the possible values: /],
    ['gu', { name: 'x', classification: 'garbage' }, 'invalid_classification', /GARBAGE/],
    ['gu', { name: 'x', access_control: '(((' }, 'invalid_query', /./],
  ];
  for (const [username, input, code, message] of refusals) {
    it(`refuses ${username} with ${JSON.stringify(input)}`, async (context) => {
      const { accounts, users } = await setUp(context);
      await saveUser(users, 'taken');
      await assert.rejects(accounts.create(username, input), { code, message });
      assert.equal((await users.list()).length, 1);
    });
  }

  it('makes one of several that are asked for at once', async (context) => {
    const { accounts } = await setUp(context);
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => accounts.create('gu', { name: 'x' })));
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 1);
    for (const one of tries) if (one.status === 'rejected') assert.equal(one.reason.code, 'user_exists');
  });
});

describe('changing an account', () => {
  it('lets administrators change nearly everything, and ignores the rest', async (context) => {
    const { accounts, users } = await setUp(context);
    const before = await saveUser(users, 'gu', { email: 'gu@x.example' });
    const roundTrip = { ...before, username: 'gu', roles: ['x'], has_password: true, apikeys: [], unknown_key: 1 };
    await accounts.update(ADMIN, 'gu', { ...roundTrip, name: 'Renamed', api_quota: 7, type: ['user'], groups: ['a'] });
    const after = await users.get('gu');
    assert.deepEqual(after, { ...before, name: 'Renamed', api_quota: 7, type: ['user'], groups: ['a'] });
  });

  it('lets users change little of themselves', async (context) => {
    const { accounts, users, login } = await setUp(context);
    await saveUser(users, 'gu');
    const self = anActor({ username: 'gu' });
    await accounts.update(self, 'gu', {
      name: 'Me',
      refresh_rate: 30,
      new_pass: PASSWORD,
      api_quota: 1000,
      type: ['user', 'actionrunner_basic'],
    });
    const after = await users.get('gu');
    assert.deepEqual([after?.name, after?.refresh_rate, after?.api_quota], ['Me', 30, 25]);
    await login(`gu:${PASSWORD}`);
    for (const [key, value] of [
      ['classification', 'R'],
      ['type', ['admin']],
      ['groups', ['x']],
      ['is_active', false],
    ] as const) {
      await assert.rejects(accounts.update(self, 'gu', { [key]: value }), {
        code: 'not_own_field',
        message: `Only Administrators can change the value of the field [${key}].`,
      });
    }
  });

  it('replaces lists and removes a stored filter that the new classification contradicts', async (context) => {
    const { accounts, users } = await setUp(context);
    await saveUser(users, 'gu', { access_control: '__access_lvl__:[0 TO 200]', classification: 'R' });
    await accounts.update(ADMIN, 'gu', { classification: 'u' });
    const after = await users.get('gu');
    assert.equal(after?.classification, 'UNRESTRICTED');
    assert.equal(after?.access_control, undefined);
  });

  it('ends the sessions of an account that is switched off', async (context) => {
    const { accounts, users, identity } = await setUp(context);
    await saveUser(users, 'gu');
    const { appToken } = await identity.login({ user: 'gu', password: 'password', address: '' });
    await accounts.update(ADMIN, 'gu', { is_active: false });
    await assert.rejects(
      identity.authenticate(presented({ authorization: `Bearer ${appToken}`, allowInactive: true })),
      { code: 'invalid_token' },
    );
  });

  const refusals: readonly (readonly [Actor, unknown, string, string])[] = [
    [ADMIN, [], 'invalid_user', 'Invalid data format'],
    [ADMIN, { name: '' }, 'invalid_user', 'Full name of the user cannot be empty'],
    [ADMIN, { email: 'other@x.example' }, 'invalid_user', "Cannot update user's email"],
    [ADMIN, { uname: 'other' }, 'invalid_user', "Cannot update user's username"],
    [ADMIN, { new_pass: 'short' }, 'weak_password', 'Password needs to be at least 12 characters'],
    [
      anActor({ username: 'other' }),
      { name: 'x' },
      'not_own_account',
      'You are not allowed to change another user than yourself.',
    ],
  ];
  for (const [actor, input, code, message] of refusals) {
    it(`refuses ${JSON.stringify(input)} of ${actor.username}`, async (context) => {
      const { accounts, users } = await setUp(context);
      const before = await saveUser(users, 'gu', { email: 'gu@x.example' });
      await assert.rejects(accounts.update(actor, 'gu', input), { code, message });
      assert.deepEqual(await users.get('gu'), before);
    });
  }

  it('misses accounts that are not there', async (context) => {
    const { accounts } = await setUp(context);
    const missing = { code: 'user_missing', message: 'User gu does not exist' };
    await assert.rejects(accounts.update(ADMIN, 'gu', { name: 'x' }), missing);
    await assert.rejects(accounts.delete('gu'), missing);
    await assert.rejects(accounts.setPassword('gu', PASSWORD), missing);
    await assert.rejects(accounts.setActive('gu', false), missing);
  });

  it('deletes and lists', async (context) => {
    const { accounts, users } = await setUp(context);
    await saveUser(users, 'b');
    await saveUser(users, 'a');
    assert.deepEqual(
      (await accounts.list()).map((user) => user.uname),
      ['a', 'b'],
    );
    await accounts.delete('a');
    assert.deepEqual(
      (await accounts.list()).map((user) => user.uname),
      ['b'],
    );
  });
});

describe('the first start', () => {
  it('makes one administrator with a random password', async (context) => {
    const { accounts, login } = await setUp(context);
    const made = await Promise.all([accounts.createFirstAdministrator(), accounts.createFirstAdministrator()]);
    const [first, ...more] = made.filter((one) => one !== undefined);
    assert.ok(first);
    assert.equal(more.length, 0);
    assert.ok(first.password.length >= 24);
    const actor = await login(`${first.username}:${first.password}`);
    assert.equal(actor.isAdmin, true);
    assert.equal(actor.classification, 'RESTRICTED//ADMIN//ANY');
    assert.equal(await accounts.createFirstAdministrator(), undefined);
  });
});
