import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { saveUser } from '../../testing/identity/open-test-identity.ts';
import { presented } from '../../testing/identity/presented-credentials.ts';
import type { Privilege } from '../actor.ts';
import { type InstallationTokenRequest, looksLikeInstallationToken } from './installation-tokens.ts';

const CALLER = { username: 'grace', privileges: new Set<Privilege>(['R', 'W', 'E']), impersonator: undefined };
const ALERTS: InstallationTokenRequest = {
  actor: CALLER,
  audience: { service: 'alerts' },
  party: 'enrichment',
  rights: 'read',
};
const ANALYSIS: InstallationTokenRequest = { ...ALERTS, audience: { service: 'analysis' } };

describe('InstallationTokens', () => {
  it('name account, recipient and caller, and last a minute', async (context) => {
    const { installationTokens, clock } = await openAnalysisIdentity(context);
    const token = await installationTokens.issue(ALERTS);
    assert.ok(looksLikeInstallationToken(token));
    const { typ, alg, kid } = decodeProtectedHeader(token);
    const [key] = (await installationTokens.keySet()).keys;
    assert.deepEqual([typ, alg, kid], ['triad+jwt', 'ES256', key?.kid]);
    const { iss, jti, ...claims } = decodeJwt(token);
    const iat = clock.now / 1000;
    assert.deepEqual(claims, {
      sub: 'grace',
      preferred_username: 'grace',
      aud: 'service:alerts',
      azp: 'enrichment',
      scope: 'R',
      iat,
      exp: iat + 60,
    });
    assert.match(`${iss} ${jti}`, /^urn:triad:[\w-]+ \w+$/);
    const source = decodeJwt(await installationTokens.issue({ ...ALERTS, audience: { source: 'alerts' } }));
    assert.equal(source.aud, 'source:alerts');
    assert.notEqual(source.jti, jti);
  });

  it('give the alert service the account with the lent privileges, each call with an audit line', async (context) => {
    const { call, installationTokens, events } = await openFixture(context);
    const lent: readonly (readonly [Partial<InstallationTokenRequest>, string])[] = [
      [{ rights: 'read' }, 'R'],
      [{ rights: 'own' }, 'RW'],
      [{ rights: 'own', actor: { ...CALLER, privileges: new Set<Privilege>(['R']) } }, 'R'],
      [{ rights: 'read', actor: { ...CALLER, privileges: new Set<Privilege>(['W']) } }, ''],
    ];
    for (const [request, privileges] of lent) {
      const actor = await call.alerts(await installationTokens.issue({ ...ALERTS, ...request }));
      assert.deepEqual(
        [actor.username, actor.method, [...actor.privileges].join(''), actor.impersonator, actor.hasFullScope],
        ['grace', 'on_behalf_of', privileges, 'enrichment', false],
      );
      const { event, service, user, impersonator, azp } = events.at(-1) ?? {};
      assert.deepEqual(
        [event, service, user, impersonator, azp],
        ['on_behalf_of_call', 'alerts', 'grace', 'enrichment', 'enrichment'],
      );
    }
    assert.equal(events.filter(({ event }) => event === 'on_behalf_of_call').length, lent.length);
  });

  it('name an impersonator of the caller in the audit log', async (context) => {
    const { call, installationTokens, events } = await openFixture(context);
    const actor = await call.alerts(
      await installationTokens.issue({ ...ALERTS, actor: { ...CALLER, impersonator: 'ada' } }),
    );
    assert.equal(actor.impersonator, 'ada');
    assert.deepEqual([events.at(-1)?.impersonator, events.at(-1)?.azp], ['ada', 'enrichment']);
  });

  it('give the analysis service the account with the roles of the lent privileges', async (context) => {
    const { call, installationTokens } = await openFixture(context);
    const reader = await call.analysis(await installationTokens.issue(ANALYSIS));
    assert.equal(reader.username, 'grace');
    assert.ok(reader.roles.has('submission_view') && !reader.roles.has('submission_create'));
    const writer = await call.analysis(await installationTokens.issue({ ...ANALYSIS, rights: 'own' }));
    assert.ok(writer.roles.has('submission_create') && !writer.roles.has('self_manage'));
    assert.equal(writer.hasFullScope, false);
  });

  it('end with their minute, and with the account within a second', async (context) => {
    const { call, installationTokens, clock, users, collection } = await openFixture(context);
    const token = await installationTokens.issue(ALERTS);
    const late = await installationTokens.issue(ANALYSIS);
    await call.alerts(token);
    await collection.update('grace', [{ op: 'set', path: 'is_active', value: false }]);
    clock.now += 1_000;
    await assert.rejects(call.alerts(token), { code: 'account_disabled' });
    await assert.rejects(call.analysis(late), { code: 'account_disabled' });
    await users.update('grace', [{ op: 'set', path: 'is_active', value: true }]);
    clock.now += 63_000;
    await call.alerts(token);
    clock.now += 2_000;
    await assert.rejects(call.alerts(token), { code: 'token_expired' });
    await assert.rejects(call.analysis(late), { code: 'token_expired' });
  });

  it('are refused for accounts that do not exist', async (context) => {
    const { call, installationTokens, events } = await openFixture(context);
    for (const username of ['nobody', '', '__proto__', 'x'.repeat(10_000)]) {
      const token = await installationTokens.issue({ ...ALERTS, actor: { ...CALLER, username } });
      await assert.rejects(call.alerts(token), { code: 'invalid_token' });
      assert.equal(events.at(-1)?.event, 'credential_refused');
    }
  });
});

async function openFixture(context: TestContext) {
  const opened = await openAnalysisIdentity(context);
  await saveUser(opened.users, 'grace', { type: ['user'] });
  const { identity, authenticate } = opened;
  const call = {
    alerts: (token: string) => identity.authenticate(presented({ authorization: `Bearer ${token}` })),
    analysis: (token: string) => authenticate({ authorization: `Bearer ${token}` }),
  };
  return { ...opened, call };
}
