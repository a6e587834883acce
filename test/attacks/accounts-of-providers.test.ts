import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../src/classification/builtin-definitions.ts';
import type { User } from '../../src/documents/kinds/user.ts';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, openAttackFixture, probeOf, startAttackFixture } from './attack-fixture.ts';

type Claims = Readonly<Record<string, unknown>>;
type ProviderName = 'main' | 'other';

/** Two real providers that both make accounts, synchronise them and know who is an administrator. */
const PROVIDER = { auto_sync: true, role_map: { admin: 'soc-admins' } };
const folder = mkdtempSync(join(tmpdir(), 'triad-attack-'));
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  writeFileSync(
    join(folder, 'classification.yml'),
    DEMO_CLASSIFICATION.replace('dynamic_groups: false', 'dynamic_groups: true'),
  );
  fixture = await startAttackFixture({ provider: PROVIDER, other: PROVIDER, folder });
});
after(async () => {
  await fixture[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const seconds = () => Math.floor(Date.now() / 1000);
let persons = 0;
/** A name that no earlier test used. */
const newPerson = (kind: string) => `${kind}${++persons}`;

/** A token of a user of one of the providers, with an e-mail address that is not verified. */
function tokenOf(subject: string, service: ServiceName, claims: Claims = {}, from: ProviderName = 'main') {
  const provider = from === 'main' ? fixture.provider : fixture.other;
  return provider.accessToken('stranger', service, {
    ...(from === 'main' ? {} : { aud: 'other', azp: `other-${service}` }),
    ...{ sub: subject, preferred_username: subject, email: `${subject}@own.example`, email_verified: undefined },
    ...claims,
  });
}

/** Sends a token to a service. */
async function send(service: ServiceName, bearer: string) {
  const { answer, events, changedUsers } = await fixture.attack(probeOf(fixture.program, service), { service, bearer });
  const accepted = events.find(({ event }) => event === 'token_accepted');
  const refused = events.find(({ event }) => event === 'credential_refused');
  return { answer, status: answer.status, account: accepted?.user, code: refused?.code, events, changedUsers };
}

/** An administrator, with what they sign in with. */
async function makeVictim(fields: Partial<User> = {}): Promise<User> {
  const uname = newPerson('victim');
  return saveUser(fixture.program.foundation.users, uname, {
    ...{ type: ['admin', 'user'], email: `${uname}@example.org` },
    ...{ apikeys: { old: storedKey('secret', ['R', 'W', 'E']) }, otp_sk: 'one-time' },
    ...fields,
  });
}

const isAdmin = async (uname: string) =>
  (await fixture.program.foundation.users.get(uname))?.type.includes('admin') === true;

interface Row {
  readonly what: string;
  /** Stored of the victim, beside their address. */
  readonly victim?: Partial<User>;
  /** Claims of the token, by the e-mail address of the victim. */
  readonly claims: (email: string) => Claims;
  readonly from?: ProviderName;
  /** Code of the refusal; null: the attacker gets an account of their own. */
  readonly code: string | null;
}

const NOT_VERIFIED = 'email_not_verified';
const VERIFIED = (email: string) => ({ email, email_verified: true });
const ATTACKS: readonly Row[] = [
  ...[undefined, false, 'true', 'yes', 1, [true], { verified: true }].map((flag) => ({
    what: `their address with email_verified ${JSON.stringify(flag)}`,
    claims: (email: string) => ({ email, email_verified: flag }),
    code: NOT_VERIFIED,
  })),
  {
    what: 'their address, without a flag, where they are at another provider',
    victim: { identity_id: 'other:theirs' },
    claims: (email) => ({ email }),
    code: NOT_VERIFIED,
  },
  {
    what: 'their address as a user name, beside the flag of no address',
    claims: (email) => ({ email: undefined, upn: email, preferred_username: undefined, email_verified: true }),
    code: NOT_VERIFIED,
  },
  {
    what: 'their address in a list, beside the flag',
    claims: (email) => ({ email: undefined, emails: [email], email_verified: true }),
    code: NOT_VERIFIED,
  },
  {
    what: 'an address that becomes theirs in lower case: its K is the Kelvin sign',
    victim: { email: 'book@example.org' },
    claims: () => ({ email: 'boo\u212A@example.org', email_verified: true }),
    code: 'not_admitted',
  },
  {
    what: 'another subject of their provider and their verified address',
    victim: { identity_id: 'main:theirs' },
    claims: VERIFIED,
    code: null,
  },
  {
    what: 'another subject of the provider that they were linked to second',
    victim: { identity_id: 'other:theirs', further_identities: ['main:theirs'] },
    claims: VERIFIED,
    code: null,
  },
  {
    what: 'another object identifier and their subject, which was given to another person',
    victim: { identity_id: 'main/oid:theirs', further_identities: ['main:reused'] },
    claims: (email) => ({ ...VERIFIED(email), sub: 'reused', oid: 'mine' }),
    code: null,
  },
  {
    what: 'their verified address, where their identity was stored without a provider',
    victim: { identity_id: '5c1d' },
    claims: VERIFIED,
    code: null,
  },
  {
    what: 'their object identifier at another provider',
    victim: { identity_id: 'main/oid:f00' },
    claims: () => ({ oid: 'f00', email_verified: true }),
    from: 'other',
    code: null,
  },
  {
    what: 'their object identifier, stored without a provider',
    victim: { identity_id: 'f01' },
    claims: () => ({ oid: 'f01', email_verified: true }),
    from: 'other',
    code: null,
  },
  {
    what: 'their subject at another provider',
    victim: { identity_id: 'main:hopper' },
    claims: () => ({ sub: 'hopper', email_verified: true }),
    from: 'other',
    code: null,
  },
  {
    what: 'an object identifier that looks like the identity at another provider',
    victim: { identity_id: 'main:lamarr' },
    claims: () => ({ oid: 'main:lamarr', email_verified: true }),
    from: 'other',
    code: null,
  },
  {
    what: 'a subject that looks like their object identifier',
    victim: { identity_id: 'main/oid:f02' },
    claims: () => ({ sub: '/oid:f02', email_verified: true }),
    code: null,
  },
];

const OWNERS: readonly Omit<Row, 'code'>[] = [
  { what: 'their verified address, when no identity is linked to the account', claims: VERIFIED },
  {
    what: 'their verified address at a second provider',
    victim: { identity_id: 'main:theirs' },
    claims: VERIFIED,
    from: 'other',
  },
  {
    what: 'their subject, with any claims about the address',
    victim: { identity_id: 'main:own-subject' },
    claims: () => ({ sub: 'own-subject', email: 'moved@example.net', email_verified: false }),
  },
  {
    what: 'their object identifier and another subject',
    victim: { identity_id: 'main/oid:own-object' },
    claims: () => ({ oid: 'own-object' }),
  },
  {
    what: 'an object identifier that was stored without a provider, beside their verified address',
    victim: { identity_id: 'old-object' },
    claims: (email) => ({ ...VERIFIED(email), oid: 'old-object' }),
  },
];

for (const service of SERVICES) {
  describe(`the account of an administrator at the ${service} service`, () => {
    for (const { what, victim: fields, claims, from, code } of ATTACKS) {
      it(`is not reached with ${what}`, async () => {
        const victim = await makeVictim(fields);
        const bearer = await tokenOf(newPerson('attacker'), service, claims(victim.email ?? ''), from);
        const { answer, status, account, code: refusal, changedUsers } = await send(service, bearer);
        assert.deepEqual([status, refusal], code === null ? [200, undefined] : [403, code], answer.text);
        if (code === null) assert.ok(account !== undefined && account !== victim.uname);
        assert.ok(!changedUsers.includes(victim.uname));
        assert.equal(changedUsers.length, code === null ? 1 : 0, 'nothing of the attacker is stored in vain');
        await fixture.program.foundation.users.delete(victim.uname);
        if (account !== undefined) await fixture.program.foundation.users.delete(account);
      });
    }

    for (const { what, victim: fields, claims, from } of OWNERS) {
      it(`is reached with ${what}`, async () => {
        const victim = await makeVictim(fields);
        const bearer = await tokenOf(newPerson('owner'), service, claims(victim.email ?? ''), from);
        const { status, account, answer } = await send(service, bearer);
        assert.deepEqual([status, account], [200, victim.uname], answer.text);
        await fixture.program.foundation.users.delete(victim.uname);
      });
    }

    it('keeps nothing that an attacker got ready before it was linked, and everything that is made afterwards', async () => {
      const squatter = await makeVictim({ type: ['user'], otp_sk: undefined });
      const open = await credentialsOf(squatter.uname);
      assert.deepEqual(await open.statuses(), [200, 200, 200, 200, 200]);
      const groups = ['soc-admins'];
      const owner = newPerson('owner');
      const link = await send(service, await tokenOf(owner, service, { ...VERIFIED(squatter.email ?? ''), groups }));
      assert.deepEqual([link.status, link.account], [200, squatter.uname]);
      const linked = link.events.find(({ event }) => event === 'account_linked');
      assert.deepEqual([linked?.subject, linked?.fields], [owner, ['password', 'apikeys']]);
      assert.ok(await isAdmin(squatter.uname));
      assert.deepEqual(await open.statuses(), [401, 401, 401, 401, 401]);

      const { users } = fixture.program.foundation;
      await users.update(squatter.uname, [
        { op: 'set', path: 'apikeys.old', value: storedKey('secret', ['R', 'W', 'E']) },
      ]);
      await send(service, await tokenOf(owner, service, { ...VERIFIED(squatter.email ?? ''), groups }));
      assert.deepEqual(await open.statuses(), [200, 200, 401, 401, 401], 'what was void stays void');
    });

    it('is not brought back by an older token of a demoted user, at any service', async () => {
      const subject = newPerson('demoted');
      const groups = ['soc-admins'];
      const at = seconds();
      const older: Claims = { email_verified: true, groups, iat: at - 100 };
      const newer: Claims = { email_verified: true, groups: [], iat: at - 50 };
      const tokens = await Promise.all(SERVICES.map((one) => tokenOf(subject, one, { ...older, jti: one })));
      const { account = '' } = await send(service, await tokenOf(subject, service, older));
      assert.ok(await isAdmin(account));
      await fixture.program.foundation.users.update(account, [
        { op: 'set', path: 'apikeys.old', value: storedKey('secret', ['R', 'W', 'E']) },
      ]);
      await send(service, await tokenOf(subject, service, newer));
      assert.ok(!(await isAdmin(account)));
      for (const [index, one] of SERVICES.entries()) {
        assert.equal((await send(one, tokens[index] ?? '')).account, account);
        assert.ok(!(await isAdmin(account)), one);
        const undated = { ...older, iat: undefined };
        assert.equal((await send(one, await tokenOf(subject, one, undated))).account, account);
        assert.ok(!(await isAdmin(account)), one);
      }
      const byKey = await fixture.program.request('/api/v1/user/whoami', { basic: `${account}:old:secret` });
      assert.deepEqual([byKey.status, byKey.json.api_response.is_admin], [200, false]);
      await send(service, await tokenOf(subject, service, { ...older, iat: at - 10 }));
      assert.ok(await isAdmin(account), 'newer claims count');
    });

    it('shows no alert of the groups of an address that is not verified', async () => {
      const subject = newPerson('member');
      await send(service, await tokenOf(subject, service, VERIFIED(`${subject}@own.example`)));
      const id = await alertFor('VICTIM.ORG');
      const claimed = { email: `${subject}@victim.org`, email_verified: undefined };
      assert.equal((await send(service, await tokenOf(subject, service, claimed))).account, subject);
      assert.deepEqual(await foundBy(subject, claimed, id), [0, 404]);
      const verified = VERIFIED(claimed.email);
      await send(service, await tokenOf(subject, service, verified));
      assert.deepEqual(await foundBy(subject, verified, id), [1, 200]);
    });
  });

  describe(`the audit log of the ${service} service`, () => {
    it('has one line for each new token, with provider, subject, client and account', async () => {
      const subject = newPerson('caller');
      const bearer = await tokenOf(subject, service, { email_verified: true });
      const [first, ...more] = [await send(service, bearer), await send(service, bearer), await send(service, bearer)];
      const holder = { user: subject, provider: 'main', subject, azp: `triad-${service}` };
      assert.deepEqual(
        first.events.filter(({ event }) => event !== 'user_created'),
        [{ event: 'token_accepted', service, method: 'oauth', ...holder }],
      );
      assert.deepEqual(
        more.flatMap(({ events }) => events),
        [],
      );
      assert.equal((await send(service, await tokenOf(subject, service))).events.length, 1, 'another token');
    });

    it('has each request that another client makes with a token', async () => {
      const subject = newPerson('caller');
      const bearer = await tokenOf(subject, service, { email_verified: true, azp: 'robot' });
      await send(service, bearer);
      const { events, status } = await send(service, bearer);
      const call = { event: 'on_behalf_of_call', service, user: subject, impersonator: 'robot', azp: 'robot' };
      assert.equal(status, 200);
      assert.deepEqual(events, [{ ...call, method: 'on_behalf_of', provider: 'main', subject }]);
    });

    it('names subject and provider of a verified token that is refused, and no user for an unverified one', async () => {
      const subject = newPerson('caller');
      const { account = '' } = await send(service, await tokenOf(subject, service, { email_verified: true }));
      const refusal = async (claims: Claims, who = subject) => {
        const { events } = await send(service, await tokenOf(who, service, claims));
        return events.map(({ code, provider, subject: named, user }) => [code, provider, named, user]);
      };
      const { users } = fixture.program.foundation;
      assert.deepEqual(await refusal({ aud: 'nobody' }), [['invalid_token', 'main', subject, undefined]]);
      assert.deepEqual(await refusal({ exp: seconds() - 60 }), [['token_expired', 'main', subject, undefined]]);
      assert.deepEqual(await refusal({ iss: 'https://x.example' }), [
        ['invalid_token', undefined, undefined, undefined],
      ]);
      assert.deepEqual(await refusal({ email: undefined, preferred_username: 'x' }, 'nobody'), [
        ['not_admitted', 'main', 'nobody', undefined],
      ]);
      assert.deepEqual(await refusal({}, 'nobody'), [[NOT_VERIFIED, 'main', 'nobody', undefined]]);
      await users.update(account, [{ op: 'set', path: 'is_active', value: false }]);
      // The alert service tells users of some routes that they are switched off.
      const bearer = await tokenOf(subject, service);
      const path = service === 'alerts' ? '/api/v1/view' : probeOf(fixture.program, service);
      const { events } = await fixture.attack(path, { service, bearer });
      assert.deepEqual(
        events.map(({ event, code, provider, subject: named, user }) => [event, code, provider, named, user]),
        [['credential_refused', 'account_disabled', 'main', subject, account]],
      );
    });
  });
}

it('an account keeps its credentials at the first link where the settings of the provider say so', async (context) => {
  const keeping = await openAttackFixture(context, { provider: { link_keeps_credentials: true } });
  await saveUser(keeping.program.foundation.users, 'grace', {
    ...{ email: 'grace.hopper@example.org', apikeys: { old: storedKey('secret', ['R']) } },
  });
  const bearer = await keeping.provider.accessToken('hopper', 'alerts');
  const answer = await keeping.program.request('/api/v1/user/whoami', { bearer });
  assert.equal(answer.json.api_response.username, 'grace');
  assert.equal((await keeping.program.request('/api/v1/user/whoami', { basic: 'grace:old:secret' })).status, 200);
});

it('delays no other caller while an expression of the settings parses a long address', async (context) => {
  const slow = await openAttackFixture(context, { provider: { uid_regex: '(.+)\\.(.+)\\.(.+)@corp\\.org' } });
  const email = `${'.a'.repeat(2500)}@x.org`;
  const bearer = await slow.provider.accessToken('stranger', 'alerts', { email, preferred_username: email });
  const begun = performance.now();
  const { answer, changedUsers } = await slow.attack('/api/v1/user/whoami', { bearer });
  assert.equal(answer.status, 403, answer.text);
  assert.deepEqual(changedUsers, []);
  assert.ok(performance.now() - begun < 6000, 'ten seconds without the limit');
});

/** Returns every credential of an account that has a password and the API key `old`. */
async function credentialsOf(uname: string) {
  const { request } = fixture.program;
  const password = { user: uname, password: 'password' };
  const login = await request('/api/v1/auth/login', { method: 'POST', json: password });
  const bearer: string = login.json.api_response.app_token;
  const session = await request('/api/v4/auth/login/', { service: 'analysis', method: 'POST', json: password });
  const ways = [
    () => request('/api/v1/user/whoami', { basic: `${uname}:old:secret` }),
    () =>
      request('/api/v4/user/whoami/', { service: 'analysis', headers: { 'x-user': uname, 'x-apikey': 'old:secret' } }),
    () => request('/api/v1/user/whoami', { basic: `${uname}:password` }),
    () => request('/api/v1/user/whoami', { bearer }),
    () => request('/api/v4/user/whoami/', { service: 'analysis', headers: new CookieJar(session).sessionHeaders }),
  ];
  return {
    async statuses() {
      const statuses: number[] = [];
      for (const way of ways) statuses.push((await way()).status);
      return statuses;
    },
  };
}

/** Stores an alert that one dynamic group may see. */
async function alertFor(group: string): Promise<string> {
  const { bearer } = { bearer: await tokenOf('insider', 'alerts', VERIFIED(`insider@${group.toLowerCase()}`)) };
  const made = await fixture.program.request('/api/v1/hit', {
    method: 'POST',
    bearer,
    json: [{ 'howler.analytic': 'Probe', classification: `UNRESTRICTED//REL TO ${group}` }],
  });
  assert.equal(made.status, 201, made.text);
  return made.json.api_response.valid[0].howler.id;
}

/** Returns the number of alerts that a search for this one finds, and the status of reading it. */
async function foundBy(subject: string, claims: Claims, id: string): Promise<readonly [number, number]> {
  const bearer = await tokenOf(subject, 'alerts', claims);
  const json = { query: `howler.id:${id}` };
  const found = await fixture.program.request('/api/v1/search/hit', { method: 'POST', bearer, json });
  const read = await fixture.program.request(`/api/v1/hit/${id}`, { bearer });
  return [found.json.api_response.total, read.status];
}
