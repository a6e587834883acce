import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { basic, openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import type { Privilege } from '../actor.ts';
import type { NewApiKey } from './alert-api-keys.ts';
import { apiKeysOf } from './api-key-records.ts';

async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openTestIdentity(context, flags);
  await saveUser(parts.users, 'ada');
  const create = (input: NewApiKey, privileges: readonly Privilege[] = ['R', 'W', 'E']) =>
    parts.apiKeys.create({ username: 'ada', privileges: new Set(privileges) }, input);
  const authenticate = (credential: string) =>
    parts.identity.authenticate(presented({ authorization: basic(credential) }));
  const list = async () => apiKeysOf({ apikeys: {}, ...(await parts.users.get('ada')) });
  return { ...parts, create, authenticate, list };
}

describe('AlertApiKeys', () => {
  it('makes a key whose secret is shown once and never stored', async (context) => {
    const { create, authenticate, users } = await setUp(context);
    const key = await create({ name: 'my key-1', priv: ['R', 'W'] });
    assert.match(key, /^my key-1:[A-Z2-7]{80}$/);
    const actor = await authenticate(`ada:${key}`);
    assert.deepEqual([...actor.privileges], ['R', 'W']);
    const stored = JSON.stringify(await users.get('ada'));
    assert.equal(stored.includes(key.split(':')[1] ?? ''), false);
  });

  it('lists keys in the order in which they were made, and revokes them', async (context) => {
    const { apiKeys, create, authenticate, list } = await setUp(context);
    const first = await create({ name: 'b', priv: 'RE', expiry_date: '2999-01-02T03:04:05Z' });
    await create({ name: 'a', priv: 'R' });
    assert.deepEqual(await list(), [
      { name: 'b', privileges: ['R', 'E'], agents: [], expires: new Date('2999-01-02T03:04:05Z') },
      { name: 'a', privileges: ['R'], agents: [], expires: undefined },
    ]);
    await apiKeys.delete('ada', 'b');
    assert.deepEqual(
      (await list()).map((key) => key.name),
      ['a'],
    );
    await assert.rejects(authenticate(`ada:${first}`), { code: 'unknown_api_key' });
    await assert.rejects(apiKeys.delete('ada', 'b'), { code: 'api_key_missing', response: 'Api key does not exist' });
    await assert.rejects(apiKeys.delete('ada', 'constructor'), { code: 'api_key_missing' });
  });

  it('leaves nothing of a key that is revoked, and takes nothing over from one of that name', async (context) => {
    const { apiKeys, create, users } = await setUp(context);
    const details = async () => (await users.get('ada'))?.key_details ?? {};
    const operation = { op: 'set', path: 'key_details.few', value: { roles: ['administration'] } } as const;
    await users.update('ada', [operation]);
    await create({ name: 'few', priv: 'R' });
    assert.deepEqual(await details(), {});
    await users.update('ada', [operation]);
    await apiKeys.delete('ada', 'few');
    assert.deepEqual(await details(), {});
  });

  it('stores impersonation keys under a name of their own, with their agents', async (context) => {
    const { create, list } = await setUp(context);
    assert.match(await create({ name: 'helper', priv: 'RI', agents: ['grace'] }), /^impersonate_helper:/);
    const [key] = await list();
    assert.deepEqual(key, {
      name: 'impersonate_helper',
      privileges: ['R', 'I'],
      agents: ['grace'],
      expires: undefined,
    });
    await assert.rejects(create({ name: 'helper', priv: 'RI' }), { code: 'api_key_exists' });
  });

  it('makes only one of many keys of a name that are asked for at once, and loses none', async (context) => {
    const { create, list } = await setUp(context);
    const same = await Promise.allSettled(Array.from({ length: 5 }, () => create({ name: 'same', priv: 'R' })));
    assert.equal(same.filter((one) => one.status === 'fulfilled').length, 1);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => create({ name, priv: 'R' })));
    assert.equal((await list()).length, 5);
  });

  const refusals: readonly (readonly [NewApiKey, string, string | RegExp])[] = [
    [{ priv: 'R' }, 'invalid_api_key_name', /name of the API key is missing/],
    [{ name: 5, priv: 'R' }, 'invalid_api_key_name', /name of the API key is missing/],
    [{ name: 'bad.name', priv: 'R' }, 'invalid_api_key_name', '[]: Illegal key: bad.name'],
    [{ name: 'a:b', priv: 'R' }, 'invalid_api_key_name', '[]: Illegal key: a:b'],
    [{ name: '__proto__', priv: 'R' }, 'invalid_api_key_name', '[]: Illegal key: __proto__'],
    [{ name: 'k' }, 'invalid_api_key_privileges', /privileges of the API key are missing/],
    [{ name: 'k', priv: [] }, 'invalid_api_key_privileges', /privileges of the API key are missing/],
    [
      { name: 'k', priv: 'RX' },
      'invalid_api_key_privileges',
      'APIKey contains permissions that do not exist. Please provide a subset of [R, W, E, I].',
    ],
    [{ name: 'k', priv: ['R', 1] }, 'invalid_api_key_privileges', /permissions that do not exist/],
    [
      { name: 'k', priv: ['E', 'I'] },
      'invalid_api_key_privileges',
      'Extended permission is not allowed on impersonation keys.',
    ],
    [
      { name: 'k', priv: 'R', expiry_date: 'tomorrow' },
      'invalid_api_key_expiry',
      'Invalid expiry date format. Please use ISO format.',
    ],
    [
      { name: 'k', priv: 'R', expiry_date: 5 },
      'invalid_api_key_expiry',
      'Invalid expiry date format. Please use ISO format.',
    ],
    [{ name: 'k', priv: 'R', expiry_date: '2026-02-31T00:00:99Z' }, 'invalid_api_key_expiry', /ISO format/],
    [{ name: 'k', priv: 'RI', agents: 'grace' }, 'invalid_api_key_agents', /list of user names/],
  ];
  for (const [input, code, message] of refusals) {
    it(`refuses ${JSON.stringify(input)}`, async (context) => {
      const { create, list } = await setUp(context);
      await assert.rejects(create(input), { code, message });
      assert.deepEqual(await list(), []);
    });
  }

  it('refuses a key that could do more than the credential that makes it', async (context) => {
    const { create } = await setUp(context);
    await assert.rejects(create({ name: 'k', priv: 'RW' }, ['R', 'E']), { code: 'privilege_not_held' });
    await create({ name: 'k', priv: 'RI' }, ['R', 'E']);
  });

  it('follows the configuration', async (context) => {
    const strict = await setUp(context, {
      'auth.allow_extended_apikeys': false,
      'auth.max_apikey_duration_amount': 2,
      'auth.max_apikey_duration_unit': 'days',
    });
    await assert.rejects(strict.create({ name: 'k', priv: 'E' }), { message: 'Extended permissions are disabled.' });
    await assert.rejects(strict.create({ name: 'k', priv: 'R' }), { message: 'API keys must have an expiry date.' });
    await assert.rejects(strict.create({ name: 'k', priv: 'R', expiry_date: '2026-01-04T03:04:06' }), {
      message: 'Expiry date must be before 2026-01-04T03:04:05.000Z.',
    });
    // The same moment in another zone.
    await strict.create({ name: 'k', priv: 'R', expiry_date: '2026-01-04T05:04:05+02:00' });
    const off = await setUp(context, { 'auth.allow_apikeys': false });
    await assert.rejects(off.create({ name: 'k', priv: 'R' }), { code: 'api_keys_disabled' });
  });
});
