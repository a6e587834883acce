import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unauthenticated } from '../errors/errors.ts';
import { basic, openIdentityWithUsers } from '../testing/identity/open-test-identity.ts';
import { presented } from '../testing/identity/presented-credentials.ts';
import { Authenticator, credentialRow, type PresentedCredentials } from './authenticator.ts';

describe('a credential that is added to the table of a service', () => {
  /** A badge in a header of its own, good for the user whose name it repeats. */
  const badges = (users: Awaited<ReturnType<typeof openIdentityWithUsers>>['users']) =>
    credentialRow<string>({
      read: (request) => request.header('x-badge'),
      claim: (badge) => ({ user: badge.split('!')[0], method: 'session' }),
      verify: async (badge) => {
        const [name = '', again] = badge.split('!');
        const user = await users.recent(name);
        if (user === undefined || name !== again) throw new Unauthenticated('invalid_token', 'Invalid badge');
        return { user, method: 'session', privileges: ['R'] };
      },
    });

  async function open(context: Parameters<typeof openIdentityWithUsers>[0]) {
    const parts = await openIdentityWithUsers(context);
    const { table } = parts.identity;
    const rows = [badges(parts.users), ...table.rows];
    const authenticator = new Authenticator({ ...table, rows }, { audit: parts.audit, log: parts.log });
    const withBadge = (badge: string, more: Parameters<typeof presented>[0] = {}): PresentedCredentials => {
      const request = presented(more);
      return { ...request, header: (name) => (name === 'x-badge' ? badge : request.header(name)) };
    };
    return { ...parts, authenticator, withBadge };
  }

  it('identifies callers, and the other credentials still do', async (context) => {
    const { authenticator, withBadge } = await open(context);
    const actor = await authenticator.authenticate(withBadge('ada!ada'));
    assert.deepEqual([actor.username, actor.method, [...actor.privileges]], ['ada', 'session', ['R']]);
    assert.ok(actor.isAdmin && !actor.hasFullScope);
    const byKey = await authenticator.authenticate(presented({ authorization: basic('grace:devkey:secret') }));
    assert.equal(byKey.keyName, 'devkey');
  });

  it('is refused, audited and limited to enabled accounts like the others', async (context) => {
    const { authenticator, withBadge, accounts, events } = await open(context);
    await assert.rejects(authenticator.authenticate(withBadge('ada!grace')), { code: 'invalid_token' });
    await accounts.setActive('grace', false);
    await assert.rejects(authenticator.authenticate(withBadge('grace!grace')), { code: 'account_disabled' });
    const admitted = await authenticator.authenticate(withBadge('grace!grace', { allowInactive: true }));
    assert.equal(admitted.username, 'grace');
    const refusals = events.filter(({ event }) => event === 'credential_refused');
    assert.deepEqual(
      refusals.map(({ service, user, method, code }) => [service, user, method, code]),
      [
        ['alerts', 'ada', 'session', 'invalid_token'],
        ['alerts', 'grace', 'session', 'account_disabled'],
      ],
    );
  });

  it('impersonates with a key like the others, unless its account is disabled', async (context) => {
    const { authenticator, withBadge, accounts, events } = await open(context);
    const impersonating = basic('ada:impersonate:secret');
    const actor = await authenticator.authenticate(withBadge('grace!grace', { impersonating }));
    assert.deepEqual([actor.username, actor.impersonator], ['ada', 'grace']);
    assert.equal(events.at(-1)?.event, 'impersonated');
    await accounts.setActive('grace', false);
    for (const allowInactive of [false, true]) {
      const request = withBadge('grace!grace', { impersonating, allowInactive });
      await assert.rejects(authenticator.authenticate(request), { code: 'account_disabled' });
      const { event, user, impersonator } = events.at(-1) ?? {};
      assert.deepEqual([event, user, impersonator], ['credential_refused', 'ada', 'grace']);
    }
  });
});
