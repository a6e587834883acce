import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestIdentity, saveUser } from '../../testing/identity/open-test-identity.ts';
import { loginVerifiers } from '../login-verifiers.ts';
import { RecentProofs } from './recent-proofs.ts';

const FROM = { address: '192.0.2.1' };

describe('RecentProofs', () => {
  it('count for five minutes, for one session, as does the sign-in of a person', async (context) => {
    const parts = await openTestIdentity(context);
    const { clock, coordination, users, audit, log } = parts;
    await saveUser(users, 'ada');
    const now = () => clock.now;
    const logins = loginVerifiers('web', { ...parts, now });
    const proofs = new RecentProofs({ ...logins, users, tokens: coordination.tokens, audit, log, now });
    const person = { id: 'one', username: 'ada', openedAt: clock.now, isOfPerson: true };
    const other = { ...person, id: 'two', openedAt: clock.now - 400_000 };
    const program = { ...person, id: 'three', isOfPerson: false };
    await proofs.assertRecent(person);
    for (const one of [other, program]) await assert.rejects(proofs.assertRecent(one), { code: 'proof_required' });
    assert.equal(await proofs.prove(other, { password: 'password' }, FROM), clock.now + 300_000);
    clock.now += 299_000;
    await proofs.assertRecent(person);
    await proofs.assertRecent(other);
    clock.now += 1000;
    for (const one of [person, other]) await assert.rejects(proofs.assertRecent(one), { code: 'proof_required' });
    await assert.rejects(proofs.prove(other, { otp: '123456' }, FROM), { code: 'proof_missing' });
  });
});
