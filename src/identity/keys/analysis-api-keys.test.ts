import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { saveUser } from '../../testing/identity/open-test-identity.ts';
import { until } from '../../testing/until.ts';
import { rolesOfPrivileges } from '../accounts/effective-roles.ts';

const ORIGIN = { service: 'analysis', by: 'ada' } as const;

async function setUp(context: TestContext, flags: Record<string, unknown> = {}) {
  const parts = await openAnalysisIdentity(context, flags);
  await saveUser(parts.users, 'viewer', { type: [], analysis_types: ['viewer'] });
  const as = async (user: string) => parts.authenticate(await parts.login({ user, password: 'password' }));
  const keys = parts.analysisKeys;
  return { ...parts, keys, ada: await as('ada'), grace: await as('grace'), viewer: await as('viewer') };
}

describe('API keys at the analysis service', () => {
  it('are made, used, listed and revoked', async (context) => {
    const { keys, grace, authenticate, events } = await setUp(context);
    events.length = 0;
    const { key, secret } = await keys.create(grace, { key_name: 'script', priv: ['W', 'R'], expiry_ts: null }, ORIGIN);
    assert.match(secret, /^script:[A-Z2-7]{80}$/);
    assert.deepEqual(key, {
      id: 'script+grace',
      key_name: 'script',
      uname: 'grace',
      acl: ['R', 'W'],
      roles: rolesOfPrivileges(['R', 'W']),
      creation_date: '2026-01-02T03:04:05.000000Z',
      expiry_ts: null,
      last_used: null,
    });
    assert.equal((await authenticate({ user: 'grace', apikey: secret })).keyName, 'script');
    assert.deepEqual(
      (await keys.ofUser(grace, 'grace')).map(({ id }) => id),
      ['devkey+grace', 'script+grace'],
    );
    assert.equal(await keys.revoke(grace, 'script+grace', ORIGIN), true);
    assert.equal(await keys.revoke(grace, 'script+grace', ORIGIN), false);
    assert.equal(await keys.find(grace, 'script+grace'), undefined);
    await assert.rejects(authenticate({ user: 'grace', apikey: secret }), { code: 'invalid_login' });
    const told = events.filter(({ event }) => event.startsWith('api_key'));
    assert.deepEqual(told, [
      { ...ORIGIN, event: 'api_key_created', user: 'grace', key: 'script', after: ['R', 'W'] },
      { ...ORIGIN, event: 'api_key_revoked', user: 'grace', key: 'script' },
    ]);
    assert.ok(!JSON.stringify(events).includes(secret.slice(7)));
  });

  it('have the roles that were chosen, of those that their owner has', async (context) => {
    const { keys, ada, viewer, authenticate } = await setUp(context);
    const roles = ['file_detail', 'administration', 'no such role', 'workflow_view'];
    const { key, secret } = await keys.create(ada, { key_name: 'few', priv: 'C', roles, uname: 'viewer' }, ORIGIN);
    assert.deepEqual([key.acl, key.roles], [['C'], ['file_detail', 'workflow_view']]);
    const actor = await authenticate({ user: 'viewer', apikey: secret });
    assert.deepEqual([...actor.roles], ['file_detail', 'workflow_view']);
    for (const [priv, chosen] of [
      ['W', undefined],
      ['C', []],
      ['C', ['administration']],
      [['RW'], undefined],
    ] as const) {
      await assert.rejects(keys.create(viewer, { key_name: 'none', priv, ...(chosen && { roles: chosen }) }, ORIGIN), {
        code: 'invalid_api_key_privileges',
        message: "None of the roles you've requested for this key are allowed for this user.",
      });
    }
  });

  it('are stored as the public alert service knows them: it cannot read a user with any other field in a key', async (context) => {
    const { keys, ada, viewer, users, authenticate } = await setUp(context);
    const roles = ['file_detail', 'workflow_view'];
    const { secret } = await keys.create(viewer, { key_name: 'few', priv: 'C', roles }, ORIGIN);
    await authenticate({ user: 'viewer', apikey: secret });
    const stored = async () => users.get('viewer');
    await until('the use is noted', async () => Boolean((await stored())?.key_details?.few?.last_used));
    assert.deepEqual(Object.keys((await stored())?.apikeys?.few ?? {}).sort(), ['acl', 'agents', 'password']);
    assert.deepEqual(Object.keys((await stored())?.key_details?.few ?? {}).sort(), [
      'creation_date',
      'last_used',
      'roles',
    ]);
    const changed = await keys.change(ada, 'few+viewer', { priv: 'R', expiry_ts: '2026-02-01T00:00:00Z' }, ORIGIN);
    assert.deepEqual([changed?.acl, changed?.creation_date], [['R'], '2026-01-02T03:04:05.000000Z']);
    const known = ['acl', 'agents', 'expiry_date', 'password'];
    assert.deepEqual(Object.keys((await stored())?.apikeys?.few ?? {}).sort(), known);
    assert.equal((await stored())?.key_details?.few?.roles, undefined);
    await keys.revoke(viewer, 'few+viewer', ORIGIN);
    assert.deepEqual([(await stored())?.apikeys, (await stored())?.key_details], [{}, {}]);
  });

  it('allow nothing when the public alert service has written the user, and dropped what it does not know', async (context) => {
    const { keys, viewer, users, authenticate } = await setUp(context);
    const input = { key_name: 'few', priv: 'C', roles: ['file_detail'] };
    const { secret } = await keys.create(viewer, input, ORIGIN);
    await users.update('viewer', [{ op: 'unset', path: 'key_details' }]);
    assert.deepEqual([...(await authenticate({ user: 'viewer', apikey: secret })).roles], []);
  });

  it('lose what their owner loses, at once', async (context) => {
    const { keys, ada, users, authenticate } = await setUp(context);
    const { secret } = await keys.create(ada, { key_name: 'all', priv: 'E' }, ORIGIN);
    assert.ok((await authenticate({ user: 'ada', apikey: secret })).isAdmin);
    await users.update('ada', [{ op: 'set', path: 'type', value: ['user'] }]);
    const after = await authenticate({ user: 'ada', apikey: secret });
    assert.ok(!after.isAdmin && after.roles.has('apikey_access'));
  });

  it('never allow more than the credential that makes them', async (context) => {
    const { keys, ada, authenticate, users } = await setUp(context);
    const roles = ['apikey_access', 'file_detail'];
    const { secret } = await keys.create(ada, { key_name: 'few', priv: 'C', roles }, ORIGIN);
    const limited = await authenticate({ user: 'ada', apikey: secret });
    for (const input of [
      { key_name: 'more', priv: 'R' },
      { key_name: 'more', priv: 'C', roles: ['administration'] },
    ]) {
      await assert.rejects(keys.create(limited, input, ORIGIN), { kind: 'forbidden', code: 'privilege_not_held' });
    }
    await assert.rejects(keys.change(limited, 'few+ada', { priv: 'R' }, ORIGIN), { code: 'privilege_not_held' });
    await keys.create(limited, { key_name: 'less', priv: 'C', roles: ['file_detail'] }, ORIGIN);
    assert.deepEqual(Object.keys((await users.get('ada'))?.apikeys ?? {}).slice(-2), ['few', 'less']);
  });

  it('are changed without a new secret; what they were limited to before is gone', async (context) => {
    const { keys, grace, authenticate, events } = await setUp(context);
    const input = { key_name: 'script', priv: 'C', roles: ['file_detail'], expiry_ts: '2027-01-01T00:00:00Z' };
    const { secret } = await keys.create(grace, input, ORIGIN);
    const changed = await keys.change(grace, 'script+grace', { priv: 'R' }, ORIGIN);
    assert.deepEqual([changed?.acl, changed?.expiry_ts], [['R'], null]);
    assert.deepEqual([...(await authenticate({ user: 'grace', apikey: secret })).roles], rolesOfPrivileges(['R']));
    assert.deepEqual(events.at(-1), {
      ...ORIGIN,
      event: 'api_key_changed',
      user: 'grace',
      key: 'script',
      after: ['R'],
    });
    assert.equal(await keys.change(grace, 'none+grace', { priv: 'R' }, ORIGIN), undefined);
  });

  it('for impersonation are shown and revoked, and stay what they are', async (context) => {
    const { keys, ada } = await setUp(context);
    const key = await keys.find(ada, 'impersonate+ada');
    assert.deepEqual([key?.acl, key?.roles], [['R', 'I'], []]);
    assert.equal(await keys.change(ada, 'impersonate+ada', { priv: 'R' }, ORIGIN), undefined);
    assert.equal(await keys.revoke(ada, 'impersonate+ada', ORIGIN), true);
  });

  it("of others are managed by administrators alone; another's is told apart from a missing one", async (context) => {
    const { keys, ada, grace } = await setUp(context);
    const notOwn = { kind: 'invalid_input', code: 'api_key_not_own' };
    const input = { key_name: 'theirs', priv: 'R', uname: 'ada' };
    await assert.rejects(keys.create(grace, input, ORIGIN), {
      ...notOwn,
      message: 'You do not have the permission to modify API Key with id None',
    });
    await assert.rejects(keys.change(grace, 'devkey+ada', { priv: 'R' }, ORIGIN), {
      ...notOwn,
      message: 'You do not have the permission to modify API Key with id devkey+ada',
    });
    await assert.rejects(keys.ofUser(grace, 'ada'), {
      ...notOwn,
      message: 'You do not have the permission to fetch API Keys for user ada',
    });
    await assert.rejects(keys.find(grace, 'devkey+ada'), {
      kind: 'forbidden',
      message: 'You do not have access to the apikey (devkey+ada).',
    });
    assert.equal(await keys.revoke(grace, 'devkey+ada', ORIGIN), false);
    assert.equal((await keys.find(ada, 'devkey+grace'))?.uname, 'grace');
    assert.deepEqual(await keys.ofUser(ada, 'nobody'), []);
    assert.ok((await keys.all()).some(({ id }) => id === 'devkey+grace'));
    await assert.rejects(keys.create(ada, { ...input, uname: 'nobody' }, ORIGIN), { message: 'Target user not found' });
  });

  it('are refused with names and privileges that cannot be', async (context) => {
    const { keys, ada } = await setUp(context);
    for (const name of ['bad+name', 'a b:c', 'a/b', '', 'a.b', '__proto__', 'ä']) {
      await assert.rejects(keys.create(ada, { key_name: name, priv: 'R' }, ORIGIN), {
        code: 'invalid_api_key_name',
        message: `APIKey '${name}' contains forbidden characters.`,
      });
    }
    await assert.rejects(keys.create(ada, { key_name: 'devkey', priv: 'R' }, ORIGIN), {
      code: 'api_key_exists',
      message: "API Key 'devkey' already exist.",
    });
    for (const priv of [['X'], ['R', 'W', 'E'], ['W', 'E'], [], '', 'I', ['R', 'R']]) {
      await assert.rejects(keys.create(ada, { key_name: 'ok', priv }, ORIGIN), {
        message: /^Invalid APIKey privilege '/,
      });
    }
  });

  it('follow the settings: no extended keys, a longest life, none at all', async (context) => {
    const plain = await setUp(context, { 'auth.allow_extended_apikeys': false });
    await assert.rejects(plain.keys.create(plain.ada, { key_name: 'ok', priv: 'E' }, ORIGIN), {
      code: 'invalid_api_key_privileges',
    });
    const short = await setUp(context, {
      'auth.max_apikey_duration_amount': 7,
      'auth.max_apikey_duration_unit': 'days',
    });
    for (const expiry_ts of [null, '2027-01-01T00:00:00Z', 'tomorrow']) {
      await assert.rejects(short.keys.create(short.ada, { key_name: 'ok', priv: 'R', expiry_ts }, ORIGIN), {
        code: 'invalid_api_key_expiry',
      });
    }
    const off = await setUp(context, { 'auth.allow_apikeys': false });
    await assert.rejects(off.keys.create(off.ada, { key_name: 'ok', priv: 'R' }, ORIGIN), {
      code: 'api_keys_disabled',
    });
  });

  it('end with the credential that makes them, where the settings are strict', async (context) => {
    const strict = await setUp(context, { 'auth.oauth.strict_apikeys': true });
    const { keys, ada, clock } = strict;
    const input = { key_name: 'ok', priv: 'R', expiry_ts: '2026-01-03T00:00:00Z' };
    const signedIn = { ...ada, credentialEnds: clock.now + 600_000 };
    for (const expiry_ts of [null, input.expiry_ts]) {
      await assert.rejects(keys.create(signedIn, { ...input, expiry_ts }, ORIGIN), { code: 'invalid_api_key_expiry' });
      await assert.rejects(keys.change(signedIn, 'devkey+ada', { ...input, expiry_ts }, ORIGIN), {
        code: 'invalid_api_key_expiry',
      });
    }
    const { key } = await keys.create(signedIn, { ...input, expiry_ts: '2026-01-02T03:10:00Z' }, ORIGIN);
    assert.equal(key.expiry_ts, '2026-01-02T03:10:00.000000Z');
    await keys.create(ada, { ...input, key_name: 'by password', expiry_ts: null }, ORIGIN);
    const byKey = await strict.authenticate({ user: 'ada', apikey: 'later:secret' });
    assert.equal(byKey.credentialEnds, Date.parse('3000-01-01T00:00:00Z'));
    const lenient = await setUp(context);
    await lenient.keys.create({ ...lenient.ada, credentialEnds: clock.now + 1 }, { ...input, expiry_ts: null }, ORIGIN);
  });

  it('of two makers at once are both kept', async (context) => {
    const { keys, grace, users } = await setUp(context);
    await Promise.all(['one', 'two'].map((key_name) => keys.create(grace, { key_name, priv: 'R' }, ORIGIN)));
    assert.deepEqual(Object.keys((await users.get('grace'))?.apikeys ?? {}).toSorted(), ['devkey', 'one', 'two']);
  });
});
