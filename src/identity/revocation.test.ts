import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { isTriadError } from '../errors/errors.ts';
import { anActor } from '../testing/alerts/alert-services.ts';
import { NO_AUDIT_LOG } from '../testing/identity/no-audit-log.ts';
import { basic, openIdentityWithUsers } from '../testing/identity/open-test-identity.ts';
import { presented, type TestRequest } from '../testing/identity/presented-credentials.ts';
import { AlertIdentity } from './alert-identity.ts';
import type { PresentedCredentials } from './authenticator.ts';
import { hashPassword } from './passwords/passwords.ts';
import { UserStore } from './user-store.ts';
import { VerifiedCredentials } from './verified-credentials.ts';

type Fixture = Awaited<ReturnType<typeof twoProcesses>>;

/** Credentials of grace from before the change. */
const CREDENTIALS: Readonly<Record<string, (fixture: Fixture) => Promise<TestRequest>>> = {
  password: async () => ({ authorization: basic('grace:password') }),
  'API key': async () => ({ authorization: basic('grace:devkey:secret') }),
  'app token of the password': async ({ here }) => ({
    authorization: `Bearer ${(await here.login({ user: 'grace', password: 'password', address: '' })).appToken}`,
  }),
  'app token of the API key': async ({ here }) => ({
    authorization: `Bearer ${(await here.login({ user: 'grace', apikey: 'devkey:secret', address: '' })).appToken}`,
  }),
  'key of ada for impersonation': async () => ({
    authorization: basic('grace:devkey:secret'),
    impersonating: basic('ada:impersonate:secret'),
  }),
};

interface Change {
  readonly what: string;
  readonly make: (fixture: Fixture) => Promise<unknown>;
  /** Credentials that are void afterwards. */
  readonly ends: readonly string[];
}

const EVERYTHING = Object.keys(CREDENTIALS);
const CHANGES: readonly Change[] = [
  {
    what: 'grace is switched off',
    make: ({ accounts }) => accounts.update(anActor({ username: 'ada', isAdmin: true }), 'grace', { is_active: false }),
    ends: EVERYTHING,
  },
  { what: 'grace is deleted', make: ({ accounts }) => accounts.delete('grace'), ends: EVERYTHING },
  {
    what: 'the password of grace is changed',
    make: ({ accounts }) => accounts.setPassword('grace', 'a new long password'),
    ends: ['password', 'app token of the password', 'app token of the API key'],
  },
  {
    what: 'the API key is revoked',
    make: ({ apiKeys }) => apiKeys.delete('grace', 'devkey'),
    ends: ['API key', 'app token of the API key', 'key of ada for impersonation'],
  },
  {
    what: 'the key for impersonation is revoked',
    make: ({ apiKeys }) => apiKeys.delete('ada', 'impersonate'),
    ends: ['key of ada for impersonation'],
  },
  {
    what: 'ada is switched off',
    make: ({ accounts }) => accounts.setActive('ada', false),
    ends: ['key of ada for impersonation'],
  },
];

describe('what is taken back is void at once in the process that did it, and within a second in every other', () => {
  for (const { what, make, ends } of CHANGES) {
    for (const [name, credential] of Object.entries(CREDENTIALS)) {
      const ended = ends.includes(name);
      it(`${what}: ${name} ${ended ? 'ends' : 'continues'}`, async (context) => {
        const fixture = await twoProcesses(context);
        const request = presented(await credential(fixture));
        // Both have verified it and remember that.
        for (const process of [fixture.here, fixture.there]) await process.authenticate(request);
        await make(fixture);
        await expectLetIn(fixture.here, request, !ended);
        fixture.clock.now += 1000;
        await expectLetIn(fixture.there, request, !ended);
      });
    }
  }

  it('an administrator who is none any more acts as none', async (context) => {
    const fixture = await twoProcesses(context);
    const request = presented({ authorization: basic('ada:devkey:secret') });
    const processes = [fixture.here, fixture.there];
    for (const process of processes) assert.ok((await process.authenticate(request)).isAdmin);
    await fixture.accounts.update(anActor({ username: 'ada', isAdmin: true }), 'ada', { type: ['user'] });
    fixture.clock.now += 1000;
    for (const process of processes) assert.ok(!(await process.authenticate(request)).isAdmin);
  });
});

async function expectLetIn(identity: AlertIdentity, request: PresentedCredentials, expected: boolean): Promise<void> {
  if (expected) await identity.authenticate(request);
  else await assert.rejects(identity.authenticate(request), isTriadError);
}

/**
 * Two processes of an installation: they share datastore, coordination and clock, and nothing that
 * either remembers.
 */
async function twoProcesses(context: TestContext) {
  const parts = await openIdentityWithUsers(context);
  const { collection, coordination, engine, settings, clock } = parts;
  const now = () => clock.now;
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const there = new AlertIdentity({
    credentials: new VerifiedCredentials(),
    users: new UserStore({ users: collection, now }),
    coordination,
    webSessions: parts.webSessions,
    engine,
    settings,
    oauth: parts.oauth,
    installationTokens: parts.installationTokens,
    log: quiet,
    audit: NO_AUDIT_LOG,
    now,
  });
  return { ...parts, here: parts.identity, there };
}

describe('a password that is changed while it is being verified', () => {
  const OLD = { user: 'grace', password: 'password', address: '' };

  it('lets no one in who brings it afterwards, however many wait for the same', async (context) => {
    const { identity, users } = await openIdentityWithUsers(context);
    const grace = await users.get('grace');
    assert.ok(grace);
    const password = await hashPassword('a new long password');
    const before = [
      identity.login(OLD),
      identity.authenticate(presented({ authorization: basic('grace:password'), address: '' })),
    ];
    // Until they are at the hash, which takes far longer than storing another one.
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    await users.save({ ...grace, password });
    const after = [
      identity.login(OLD),
      identity.authenticate(presented({ authorization: basic('grace:password'), address: '' })),
    ];
    const outcomes = await Promise.allSettled(after);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await Promise.allSettled(before);
  });
});
