import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openTestIdentity, saveUser, storedKey } from '../../testing/identity/open-test-identity.ts';
import { readAccessOfQuery } from '../accounts/read-access.ts';
import type { Claims } from './claim-values.ts';
import { OAuthAccounts } from './oauth-accounts.ts';
import type { VerifiedToken } from './verified-token.ts';

interface TestContext {
  after(end: () => Promise<void>): void;
}

const FROM = { address: '192.0.2.1', userAgent: 'curl', requestId: 'one', call: 'GET /api/v1/user/whoami/' };

const jwks_uri = 'http://127.0.0.1/jwks';

async function open(
  context: TestContext,
  settings: Readonly<Record<string, unknown>> = {},
  providers: Readonly<Record<string, unknown>> = { main: { jwks_uri, ...settings }, other: { jwks_uri } },
) {
  const parts = await openTestIdentity(context, { 'auth.oauth.enabled': true, 'auth.oauth.providers': providers });
  const { accounts } = parts.oauth;
  const signIn = (claims: Claims, provider = 'main') => accounts.userOf(tokenOf(claims, provider), 'alerts', FROM);
  return { ...parts, accounts, signIn, another: () => new OAuthAccounts(parts) };
}

const tokenOf = (claims: Claims, provider = 'main'): VerifiedToken => ({
  provider,
  claims,
  token: 'a.b.c',
  expires: Number.MAX_SAFE_INTEGER,
});
const ADA = {
  sub: '1',
  email: 'ada@example.org',
  email_verified: true,
  preferred_username: 'ada',
  name: 'Lovelace, Ada',
};

describe('a user who comes for the first time', () => {
  it('gets an account of what the provider tells', async (context) => {
    const { signIn, events } = await open(context, {
      role_map: { admin: 'admins' },
      classification_map: { soc: 'RESTRICTED' },
    });
    const user = await signIn({ ...ADA, groups: ['admins', 'soc'] });
    assert.deepEqual(
      [user.uname, user.name, user.email, user.type, user.groups, user.classification, user.identity_id],
      ['ada', 'Ada Lovelace', 'ada@example.org', ['admin', 'user'], ['admins', 'soc'], 'RESTRICTED', 'main:1'],
    );
    assert.equal(user.password, '__NO_PASSWORD__');
    assert.ok(readAccessOfQuery(user.access_control ?? ''));
    assert.deepEqual(events, [
      {
        ...{ service: 'alerts', provider: 'main', subject: '1', azp: undefined, ...FROM },
        ...{ event: 'user_created', user: 'ada', after: ['admin', 'user'] },
      },
    ]);
  });

  it('gets one account however many requests come at once, in two processes', async (context) => {
    const { accounts, another, users } = await open(context, { uid_randomize: true });
    const second = another();
    const token = tokenOf(ADA);
    const made = await Promise.all([
      ...Array.from({ length: 5 }, () => accounts.userOf(token, 'alerts', FROM)),
      ...Array.from({ length: 5 }, () => accounts.userOf(tokenOf({ ...ADA }), 'alerts', FROM)),
      ...Array.from({ length: 5 }, () => second.userOf(tokenOf({ ...ADA }), 'analysis', FROM)),
    ]);
    assert.equal(new Set(made.map(({ uname }) => uname)).size, 1);
    assert.equal((await users.list()).length, 1);
  });

  it('gets another name when someone has theirs, never the account', async (context) => {
    const { signIn, users } = await open(context);
    await saveUser(users, 'ada', { email: 'other@example.org', type: ['admin'] });
    await saveUser(users, 'ada1');
    const user = await signIn(ADA);
    assert.deepEqual([user.uname, user.type], ['ada2', ['user']]);
  });

  it('gets no name that means something else', async (context) => {
    const { signIn } = await open(context);
    assert.equal((await signIn({ ...ADA, preferred_username: 'none' })).uname, 'none1');
    const other = { ...ADA, sub: '2', email: 'b@example.org', preferred_username: 'Admin' };
    assert.equal((await signIn(other)).uname, 'Admin1');
  });

  it('is refused where accounts are not made', async (context) => {
    const { signIn, users } = await open(context, { auto_create: false });
    await assert.rejects(signIn(ADA), { code: 'account_missing', message: 'User auto-creation is disabled' });
    assert.deepEqual(await users.list(), []);
  });

  it('is refused without the groups, the right or the address that the rules ask for, and nothing is made', async (context) => {
    const rules = {
      required_groups: ['soc'],
      auto_properties: [{ type: 'access', field: 'fired', pattern: 'true', value: 'False' }],
    };
    const { signIn, users, events } = await open(context, rules);
    const refused = { code: 'not_admitted', message: 'This user is not allowed access to the system' };
    await assert.rejects(signIn(ADA), refused);
    await assert.rejects(signIn({ ...ADA, groups: ['SOC'] }), refused);
    await assert.rejects(signIn({ ...ADA, groups: ['soc'], fired: true }), refused);
    await assert.rejects(signIn({ ...ADA, groups: ['soc'], email: undefined }), refused);
    await assert.rejects(signIn({ ...ADA, groups: ['soc'], email: 'ada@not an address' }), refused);
    assert.deepEqual([await users.list(), events], [[], []]);
    assert.equal((await signIn({ ...ADA, groups: ['soc'] })).uname, 'ada');
  });
});

describe('a user who has an account', () => {
  const CREDENTIALS = {
    apikeys: { mine: storedKey('secret', ['R']) },
    otp_sk: 'one-time',
    security_tokens: { stick: 'token' },
    apps: { one: { client_id: 'robot', netloc: 'x', scope: 'r', server: 'x', roles: ['submission_view'] } },
  };

  it('is found by a verified address once, and keeps name and roles but no credential from before', async (context) => {
    const { signIn, users, events } = await open(context);
    const stored = await saveUser(users, 'countess', {
      ...{ email: 'ada@example.org', type: ['admin', 'user'] },
      ...CREDENTIALS,
    });
    const { otp_sk, security_tokens, apps, ...kept } = stored;
    const linked = { ...kept, identity_id: 'main:1', apikeys: {}, password: '__NO_PASSWORD__' };
    assert.deepEqual(await signIn({ ...ADA, email: 'ADA@example.org' }), linked);
    const fields = ['password', 'apikeys', 'apps', 'otp_sk', 'security_tokens'];
    assert.deepEqual(
      events.map(({ event, user, provider, subject, fields: removed }) => [event, user, provider, subject, removed]),
      [['account_linked', 'countess', 'main', '1', fields]],
    );
    await users.update('countess', [{ op: 'set', path: 'apikeys', value: CREDENTIALS.apikeys }]);
    assert.ok((await signIn({ ...ADA })).apikeys?.mine, 'what is made afterwards stays');
  });

  it('keeps its credentials where the settings say so', async (context) => {
    const { signIn, users } = await open(context, { link_keeps_credentials: true });
    const stored = await saveUser(users, 'countess', { email: 'ada@example.org', ...CREDENTIALS });
    assert.deepEqual(await signIn(ADA), { ...stored, identity_id: 'main:1' });
  });

  it('does not become that of another subject of the provider, even when both come at the same time', async (context) => {
    const { signIn, users } = await open(context, { auto_sync: true, role_map: { admin: 'admins' } });
    await saveUser(users, 'countess', { email: 'ada@example.org' });
    const results = await Promise.all([signIn(ADA), signIn({ ...ADA, sub: '2', groups: ['admins'] })]);
    assert.deepEqual(results.map(({ uname }) => uname).sort(), ['ada', 'countess']);
    for (const [index, { identity_id, email, uname }] of results.entries()) {
      assert.equal(identity_id, `main:${index + 1}`);
      assert.equal(email, uname === 'countess' ? ADA.email : undefined, 'the address leads to one account');
    }
    assert.equal((await users.list()).length, 2);
  });

  it('is linked to one subject of each provider', async (context) => {
    const { signIn, users } = await open(context);
    await signIn(ADA);
    await users.update('ada', [{ op: 'set', path: 'apikeys', value: CREDENTIALS.apikeys }]);
    const there = await signIn({ ...ADA, sub: '7' }, 'other');
    assert.deepEqual([there.uname, there.identity_id, there.further_identities], ['ada', 'main:1', ['other:7']]);
    assert.ok(there.apikeys?.mine, 'it was linked before');
    assert.equal((await signIn({ ...ADA, sub: '8' }, 'other')).uname, 'ada1');
    assert.equal((await signIn({ sub: '7' }, 'other')).uname, 'ada');
  });

  it('holds the subject and the claim that identifies a user for good; the claim decides', async (context) => {
    const { signIn } = await open(context);
    const user = await signIn({ ...ADA, oid: 'f00' });
    assert.deepEqual([user.identity_id, user.further_identities], ['main/oid:f00', ['main:1']]);
    assert.equal((await signIn({ sub: '9', oid: 'f00' })).uname, 'ada');
    assert.equal((await signIn({ sub: '1' })).uname, 'ada');
    assert.equal((await signIn({ ...ADA, oid: 'another' })).uname, 'ada1');
  });

  it('is the same with an identity that an earlier version stored without the provider, if the address says so, too', async (context) => {
    const { signIn, users } = await open(context);
    const old = { email: 'ada@example.org', identity_id: 'f00', apikeys: CREDENTIALS.apikeys };
    await saveUser(users, 'countess', old);
    const stranger = { ...ADA, email: 'x@example.org', oid: 'f00' };
    assert.equal((await signIn(stranger, 'other')).uname, 'ada');
    assert.equal((await signIn({ ...ADA, sub: '2', oid: 'another' })).uname, 'ada1');
    const user = await signIn({ ...ADA, oid: 'f00' });
    assert.deepEqual([user.uname, user.identity_id], ['countess', 'main/oid:f00']);
    assert.ok(user.apikeys?.mine);
  });

  it('is the same with such an identity where there is one provider', async (context) => {
    const { signIn, users } = await open(context, {}, { main: { jwks_uri } });
    await saveUser(users, 'countess', { identity_id: 'f00' });
    assert.equal((await signIn({ sub: '1', oid: 'f00' })).identity_id, 'main/oid:f00');
    await assert.rejects(signIn({ sub: '1', oid: 'f01' }), { code: 'not_admitted' });
  });

  it('is found by who they are at the provider when their address changes, and not at another provider', async (context) => {
    const { signIn } = await open(context);
    await signIn(ADA);
    assert.equal((await signIn({ ...ADA, email: 'lovelace@example.org' })).uname, 'ada');
    assert.equal((await signIn({ ...ADA, email: 'lovelace@example.org' }, 'other')).uname, 'ada1');
    assert.equal((await signIn({ sub: '1' })).uname, 'ada');
    await assert.rejects(signIn({ sub: '2' }), { code: 'not_admitted' });
  });

  it('is not found by an address that the provider has not verified, and no one gets an account by it', async (context) => {
    const { signIn, users } = await open(context);
    await saveUser(users, 'root', { email: 'ada@example.org', type: ['admin'] });
    const refused = { kind: 'forbidden', code: 'email_not_verified' };
    await assert.rejects(signIn({ ...ADA, email_verified: false }), refused);
    await assert.rejects(signIn({ ...ADA, email: 'free@example.org', email_verified: false }), refused);
    assert.equal((await users.list()).length, 1);
    const own = { ...ADA, email: 'own@example.org' };
    assert.equal((await signIn({ ...own, email_verified: true })).uname, 'ada');
    const moved = { ...own, email: 'ada@example.org', email_verified: false };
    assert.equal((await signIn(moved)).email, 'own@example.org');
  });

  it('is found by it where the settings trust the provider', async (context) => {
    const { signIn, users } = await open(context, { trust_email: true });
    await saveUser(users, 'root', { email: 'ada@example.org' });
    assert.equal((await signIn({ ...ADA, email_verified: false })).uname, 'root');
  });

  it('is brought up to date where the settings say so, but for what is theirs', async (context) => {
    const { signIn, users, events } = await open(context, { auto_sync: true, role_map: { admin: 'admins' } });
    await signIn({ ...ADA, groups: ['admins'] });
    await users.update('ada', [
      { op: 'set', path: 'apikeys.devkey', value: storedKey('secret', ['R']) },
      { op: 'set', path: 'is_active', value: false },
      { op: 'set', path: 'dashboard', value: [] },
    ]);
    events.length = 0;
    const user = await signIn({ ...ADA, name: 'Ada', groups: ['soc'] });
    assert.deepEqual([user.type, user.name, user.groups, user.is_active], [['user'], 'Ada', ['soc'], false]);
    assert.ok(user.apikeys?.devkey);
    assert.deepEqual(
      events.map(({ event, before, after, fields }) => ({ event, before, after, fields })),
      [
        { event: 'roles_changed', before: ['admin', 'user'], after: ['user'], fields: undefined },
        { event: 'user_changed', before: undefined, after: undefined, fields: ['groups', 'name'] },
      ],
    );
    events.length = 0;
    await signIn({ ...ADA, name: 'Ada', groups: ['soc'] });
    assert.deepEqual(events, []);
  });

  it('is not brought back to what older claims say', async (context) => {
    const settings = { auto_sync: true, role_map: { admin: 'admins' } };
    const { signIn, another } = await open(context, settings);
    const promoted = { ...ADA, groups: ['admins'] };
    await signIn({ ...promoted, iat: 1000 });
    assert.deepEqual((await signIn({ ...ADA, iat: 2000 })).type, ['user']);
    const there = (claims: Claims) => another().userOf(tokenOf(claims), 'analysis', FROM);
    for (const older of [{ iat: 1000 }, { iat: 1999.5 }, {}]) {
      assert.deepEqual((await there({ ...promoted, ...older })).type, ['user']);
    }
    assert.deepEqual((await there({ ...promoted, iat: 2001 })).type, ['admin', 'user']);
    assert.deepEqual((await signIn({ ...ADA, iat: 2000 })).type, ['admin', 'user']);
    await Promise.all([2002, 2004, 2003].map((iat) => there(iat === 2004 ? { ...ADA, iat } : { ...promoted, iat })));
    assert.deepEqual((await signIn({ ...promoted, iat: 2003 })).type, ['user'], 'the newest of several at once');
  });

  it('has the access of the address that is stored, not of one that was not taken', async (context) => {
    const parts = await open(context, { auto_sync: true });
    const engine = loadClassification(DEMO_CLASSIFICATION.replace('dynamic_groups: false', 'dynamic_groups: true'));
    const accounts = new OAuthAccounts({ ...parts, engine });
    const signIn = (claims: Claims) => accounts.userOf(tokenOf(claims), 'alerts', FROM);
    const { access_control: own } = await signIn(ADA);
    assert.match(own ?? '', /EXAMPLE\.ORG/);
    const moved = { ...ADA, email: 'ada@victim.org', email_verified: false };
    assert.equal((await signIn(moved)).access_control, own);
    assert.match((await signIn({ ...moved, email_verified: true })).access_control ?? '', /VICTIM\.ORG/);
  });

  it('does not take the address of another account with them', async (context) => {
    const { signIn, users } = await open(context, { auto_sync: true });
    await saveUser(users, 'grace', { email: 'grace@example.org' });
    await signIn(ADA);
    assert.equal((await signIn({ ...ADA, email: 'grace@example.org' })).email, 'ada@example.org');
    assert.equal((await signIn({ ...ADA, email: 'x@example.org', email_verified: false })).email, 'ada@example.org');
    assert.equal((await signIn({ ...ADA, email: 'new@example.org' })).email, 'new@example.org');
  });

  it('is told as of now: switched off within a second, also in other processes', async (context) => {
    const { accounts, users, collection, clock } = await open(context);
    const token = tokenOf(ADA);
    await accounts.userOf(token, 'alerts', FROM);
    assert.equal((await accounts.userOf(token, 'alerts', FROM)).is_active, true);
    await users.update('ada', [{ op: 'set', path: 'is_active', value: false }]);
    assert.equal((await accounts.userOf(token, 'alerts', FROM)).is_active, false);
    await collection.update('ada', [{ op: 'set', path: 'is_active', value: true }]);
    clock.now += 1001;
    assert.equal((await accounts.userOf(token, 'alerts', FROM)).is_active, true);
  });

  it('is not anyone who gets their name after them', async (context) => {
    const { accounts, users } = await open(context);
    const token = tokenOf(ADA);
    await accounts.userOf(token, 'alerts', FROM);
    await users.delete('ada');
    await saveUser(users, 'ada', { email: 'another@example.org', type: ['admin'] });
    assert.deepEqual([(await accounts.userOf(token, 'alerts', FROM)).uname], ['ada1']);
  });

  it('asks the datastore nothing for a token that was judged before', async (context) => {
    const { accounts, collection } = await open(context);
    const token = tokenOf(ADA);
    const first = await accounts.userOf(token, 'alerts', FROM);
    await collection.update('ada', [{ op: 'set', path: 'name', value: 'unseen' }]);
    assert.equal(await accounts.userOf(token, 'alerts', FROM), first);
  });
});
