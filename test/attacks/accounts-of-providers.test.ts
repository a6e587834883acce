import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saveUser } from '../../src/testing/identity/open-test-identity.ts';
import { openAttackFixture } from './attack-fixture.ts';

const VICTIM = { type: ['admin', 'user'], email: 'book@example.org' };

/** Somebody has an account at one provider and wants the account here of somebody who has theirs at another, or only here. */
const ROWS: readonly {
  readonly what: string;
  readonly victim: Record<string, unknown>;
  /** Of the attacker's token. */
  readonly claims: Record<string, unknown>;
  /** Of both providers. */
  readonly settings?: Record<string, unknown>;
}[] = [
  {
    what: 'the address of somebody at another provider, of which the attacker’s does not say that it is verified',
    victim: { identity_id: 'main:1' },
    claims: { email: 'book@example.org' },
  },
  {
    what: 'the same, where the other provider identifies people by a claim of its own',
    victim: { identity_id: '5c1d' },
    claims: { email: 'book@example.org' },
  },
  {
    what: 'the address as a user name, beside a verified address that is no text',
    victim: { identity_id: 'main:1' },
    claims: { email: undefined, email_verified: true, upn: 'book@example.org' },
  },
  {
    what: 'an address that becomes that of the victim in lower case: its K is the Kelvin sign',
    victim: {},
    claims: { email: 'boo\u212A@example.org', email_verified: true },
  },
  {
    what: 'the subject that the victim has at another provider, where both identify people by it',
    victim: { identity_id: 'hopper' },
    claims: { sub: 'hopper', email: 'attacker@example.org', email_verified: true },
    settings: { identity_id_field: 'sub' },
  },
];

describe('an account that belongs to somebody else', () => {
  for (const { what, victim, claims, settings = {} } of ROWS) {
    it(`is not reached with ${what}`, async (context) => {
      const fixture = await openAttackFixture(context, { provider: settings, other: settings });
      const { users } = fixture.program.foundation;
      await saveUser(users, 'victim', { ...VICTIM, ...victim });
      const bearer = await fixture.other.accessToken('stranger', 'alerts', { aud: 'other', ...claims });
      const { answer, changedUsers } = await fixture.attack('/api/v1/user/whoami', { bearer });
      assert.notEqual(answer.json?.api_response?.username, 'victim', answer.text);
      assert.ok(!changedUsers.includes('victim'));
      assert.ok(answer.status === 200 || answer.status === 403, answer.text);
    });
  }

  it('makes nobody wait while a long address is taken apart by an expression of the settings', async (context) => {
    const fixture = await openAttackFixture(context, { provider: { uid_regex: '(.+)\\.(.+)\\.(.+)@corp\\.org' } });
    const email = `${'.a'.repeat(2500)}@x.org`;
    const bearer = await fixture.provider.accessToken('stranger', 'alerts', { email, preferred_username: email });
    const begun = performance.now();
    const { answer, changedUsers } = await fixture.attack('/api/v1/user/whoami', { bearer });
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(changedUsers, []);
    assert.ok(performance.now() - begun < 6000, 'ten seconds without the limit');
  });

  it('is reached with an address of which its provider says that it is verified', async (context) => {
    const fixture = await openAttackFixture(context);
    await saveUser(fixture.program.foundation.users, 'victim', { ...VICTIM, identity_id: 'main:1' });
    const claims = { aud: 'other', email: 'book@example.org', email_verified: true };
    const bearer = await fixture.other.accessToken('stranger', 'alerts', claims);
    const answer = await fixture.program.request('/api/v1/user/whoami', { bearer });
    assert.equal(answer.json.api_response.username, 'victim');
  });
});
