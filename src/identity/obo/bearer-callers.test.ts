import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { AnalysisRole } from '../../documents/kinds/analysis-roles.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity/identity-provider.ts';
import { openAnalysisIdentity } from '../../testing/identity/open-analysis-identity.ts';
import { openOboIdentity } from '../../testing/identity/open-obo-identity.ts';
import { saveUser } from '../../testing/identity/open-test-identity.ts';
import type { Caller } from '../authenticator.ts';
import type { BearerCall } from './bearer-callers.ts';

describe('callers of the analysis service with a bearer token', () => {
  let provider: TestIdentityProvider;
  before(async () => {
    provider = await startIdentityProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  async function setUp(context: TestContext, settings: Record<string, unknown> = {}) {
    const parts = await openOboIdentity(context, provider, { settings });
    await saveUser(parts.users, 'robot', { can_impersonate: true, classification: 'UNRESTRICTED' });
    await saveUser(parts.users, 'mallory');
    await saveUser(parts.users, 'grace', { email: 'grace.hopper@example.org', classification: 'RESTRICTED' });
    const senderOf = async (username: string, limit?: readonly AnalysisRole[]): Promise<Caller> => {
      const user = await parts.users.recent(username);
      assert.ok(user);
      const rolesLimit = limit && new Set(limit);
      return { user, method: 'api_key', privileges: [], keyName: 'devkey', rolesLimit };
    };
    const identify = (token: string, more: Partial<BearerCall> = {}) =>
      parts.bearerCallers.identify({
        ...{ token, provider: undefined, sender: undefined, address: '192.0.2.1', requestId: 'r1', call: 'GET /x/' },
        ...more,
      });
    return { ...parts, identify, senderOf };
  }

  it("are the user of a token by itself; with the service's own client nobody calls for them", async (context) => {
    const { identify } = await setUp(context);
    const caller = await identify(await provider.accessToken('hopper', 'analysis'));
    assert.deepEqual([caller.user.uname, caller.method, caller.impersonator], ['grace', 'oauth', undefined]);
    assert.ok(caller.rolesLimit.has('submission_create'));
    assert.ok(!caller.rolesLimit.has('administration') && !caller.rolesLimit.has('apikey_access'));
    assert.equal(caller.classificationLimit, undefined);
    assert.equal(caller.event, undefined);
  });

  it('come from the networks of the provider alone, with a token that was good from there', async (context) => {
    const { identify, senderOf } = await setUp(context, { ip_filter: ['192.0.2.0/30'] });
    const token = await provider.accessToken('hopper', 'analysis');
    assert.equal((await identify(token)).user.uname, 'grace');
    const sender = await senderOf('robot');
    for (const more of [{}, { sender }, { provider: 'local' }]) {
      await assert.rejects(identify(token, { ...more, address: '192.0.2.4' }), { code: 'address_not_admitted' });
      assert.equal((await identify(token, more)).user.uname, 'grace');
    }
  });

  it('are the user of an on-behalf-of token, each call with its client in the audit log', async (context) => {
    const flags = { 'auth.oauth.enabled': true, 'auth.oauth.providers': { local: provider.settings() } };
    const { authenticate, users, events } = await openAnalysisIdentity(context, flags);
    await saveUser(users, 'grace', { email: 'grace.hopper@example.org' });
    const token = await provider.accessToken('hopper', 'analysis', { azp: 'triad-alerts' });
    const request = { authorization: `Bearer ${token}`, userAgent: undefined, call: 'GET /x/' };
    const actor = await authenticate(request);
    assert.deepEqual([actor.username, actor.method, actor.impersonator], ['grace', 'on_behalf_of', 'triad-alerts']);
    await authenticate(request);
    assert.deepEqual(
      events.filter(({ event }) => event === 'on_behalf_of_call'),
      Array(2).fill({
        event: 'on_behalf_of_call',
        service: 'analysis',
        user: 'grace',
        impersonator: 'triad-alerts',
        method: 'on_behalf_of',
        key: undefined,
        provider: 'local',
        subject: 'hopper',
        azp: 'triad-alerts',
        address: '192.0.2.1',
        userAgent: undefined,
        requestId: 'r1',
        call: 'GET /x/',
      }),
    );
  });

  it('take the client from what the provider calls it', async (context) => {
    const { identify } = await setUp(context);
    const azpOf = async (claims: Record<string, unknown>) => {
      const none = { azp: undefined, client_id: undefined };
      return (await identify(await provider.accessToken('hopper', 'analysis', { ...none, ...claims }))).azp;
    };
    assert.equal(await azpOf({ azp: 'a', client_id: 'b' }), 'a');
    assert.equal(await azpOf({ azp: '', client_id: 'b' }), 'b');
    assert.equal(await azpOf({ appid: 'c' }), 'c');
    assert.equal(await azpOf({ cid: 'd' }), 'd');
    assert.equal(await azpOf({ azp: 7 }), undefined);
  });

  it('are on behalf of someone when the token says who acts, or clients cannot be told apart', async (context) => {
    const { identify } = await setUp(context);
    const delegated = await identify(await provider.accessToken('hopper', 'analysis', { act: { sub: 'other' } }));
    assert.deepEqual([delegated.method, delegated.impersonator], ['on_behalf_of', 'other']);
    assert.equal(delegated.azp, 'triad-analysis');

    const shared = { services: { analysis: { audience: 'analysis-api' } }, client_id: 'triad-analysis' };
    const { bearerCallers } = await openOboIdentity(context, provider, { settings: shared });
    const caller = await bearerCallers.ofProvider(await provider.accessToken('hopper', 'analysis'), undefined, {
      address: '192.0.2.1',
    });
    assert.equal(caller.method, 'on_behalf_of');
  });

  it('are the same while nothing changes, and other ones after a change of the user', async (context) => {
    const { identify, users, senderOf } = await setUp(context);
    const token = await provider.accessToken('hopper', 'analysis');
    const first = await identify(token);
    assert.deepEqual(await identify(token), first);
    const sender = await senderOf('robot');
    assert.deepEqual(await identify(token, { sender }), await identify(token, { sender: { ...sender } }));
    await users.update('grace', [{ op: 'set', path: 'is_active', value: false }]);
    const second = await identify(token);
    assert.notEqual(second.user, first.user);
    assert.equal(second.user.is_active, false);
  });

  it('are refused with a token that is not good', async (context) => {
    const { identify, senderOf } = await setUp(context);
    const sender = await senderOf('robot');
    const wrong: Readonly<Record<string, string>> = {
      'for the alert service': await provider.accessToken('hopper', 'alerts'),
      'of another issuer': await provider.accessToken('hopper', 'analysis', { iss: 'https://evil.example' }),
      'of nobody': await provider.accessToken('hopper', 'analysis', { sub: undefined }),
      expired: await provider.accessToken('hopper', 'analysis', { exp: 1_000_000_000 }),
      nothing: '',
      'no token': 'opaque',
    };
    for (const [what, token] of Object.entries(wrong)) {
      await assert.rejects(identify(token), { kind: 'unauthenticated' }, what);
      await assert.rejects(identify(token, { sender }), { code: 'on_behalf_of_refused', kind: 'forbidden' }, what);
    }
  });

  it('act in the name of the user with what both may, and see what both may see', async (context) => {
    const { identify, senderOf, engine } = await setUp(context);
    const token = await provider.accessToken('hopper', 'analysis');
    const sender = await senderOf('robot', ['submission_view', 'administration']);
    const caller = await identify(token, { sender, provider: 'local' });
    assert.deepEqual([caller.user.uname, caller.method], ['grace', 'on_behalf_of']);
    assert.deepEqual([...caller.rolesLimit], ['submission_view']);
    assert.equal(engine.intersectUser(caller.user.classification, caller.classificationLimit), 'UNRESTRICTED');
    assert.deepEqual([caller.impersonator, caller.keyName, caller.azp], ['robot', 'devkey', 'triad-analysis']);
    assert.deepEqual([caller.event, caller.verified?.claims.sub], ['on_behalf_of_call', 'hopper']);
    const unlimited = await identify(token, { sender: await senderOf('robot') });
    assert.ok(unlimited.rolesLimit.has('submission_create'));
  });

  it('may only act for others when they may impersonate', async (context) => {
    const { identify, senderOf, ownTokens, users } = await setUp(context);
    const token = await provider.accessToken('hopper', 'analysis');
    const mallory = await senderOf('mallory');
    await assert.rejects(identify(token, { sender: mallory }), { code: 'not_an_impersonator', kind: 'forbidden' });
    const own = await ownTokens.issue('grace', clientOf('mallory'));
    await assert.rejects(identify(own.token, { sender: mallory }), { code: 'not_an_impersonator' });
    // Their own token beside their own key is no one else.
    assert.equal((await identify(token, { sender: await senderOf('grace') })).user.uname, 'grace');
    await users.update('mallory', [{ op: 'set', path: 'can_impersonate', value: true }]);
    assert.equal((await identify(own.token, { sender: await senderOf('mallory') })).user.uname, 'grace');
    await users.update('mallory', [{ op: 'set', path: 'can_impersonate', value: false }]);
    await assert.rejects(identify(own.token, { sender: await senderOf('mallory') }), { code: 'not_an_impersonator' });
  });

  it("use the service's own tokens beside the credential of the client alone", async (context) => {
    const { identify, senderOf, ownTokens, users } = await setUp(context);
    await users.update('mallory', [{ op: 'set', path: 'can_impersonate', value: true }]);
    const { token } = await ownTokens.issue('grace', clientOf('robot'));
    await assert.rejects(identify(token), { code: 'on_behalf_of_client_missing', kind: 'unauthenticated' });
    await assert.rejects(identify(token, { sender: await senderOf('mallory') }), {
      code: 'on_behalf_of_refused',
      message: 'Invalid OBO token - mallory is not allowed to use this token',
    });
    const caller = await identify(token, { sender: await senderOf('robot', ['submission_view']) });
    assert.deepEqual([caller.user.uname, caller.impersonator, caller.azp], ['grace', 'robot', 'robot']);
    assert.deepEqual([...caller.rolesLimit], ['submission_view']);
    assert.equal(caller.event, 'on_behalf_of_call');
    // The name of a provider says that it is of that provider.
    await assert.rejects(identify(token, { sender: await senderOf('robot'), provider: 'local' }), {
      code: 'on_behalf_of_refused',
    });
  });

  it('may present a token of the installation beside their own credential, as plugins of other services do', async (context) => {
    const { identify, senderOf, installationTokens } = await setUp(context);
    const issue = (service: 'analysis' | 'alerts') =>
      installationTokens.issue({
        ...{
          actor: { username: 'grace', impersonator: undefined, privileges: new Set(['R', 'W']) },
          party: 'enrichment',
          rights: 'read',
        },
        audience: { service },
      });
    const token = await issue('analysis');
    const sender = await senderOf('robot', ['submission_view', 'administration']);
    // The plugin of the public system names a provider with every token.
    for (const provider of [undefined, 'local']) {
      const caller = await identify(token, { sender, provider });
      assert.deepEqual([caller.user.uname, caller.impersonator, caller.azp], ['grace', 'robot', 'enrichment']);
      assert.deepEqual([...caller.rolesLimit], ['submission_view']);
      assert.equal(caller.classificationLimit, 'UNRESTRICTED');
    }
    await assert.rejects(identify(token, { sender: await senderOf('mallory') }), { code: 'not_an_impersonator' });
    await assert.rejects(identify(await issue('alerts'), { sender }), { code: 'on_behalf_of_refused' });
    await assert.rejects(identify(token, { provider: 'local' }), { kind: 'unauthenticated' });
  });

  it('name providers that exist and give tokens to the outside', async (context) => {
    const { identify, senderOf } = await setUp(context);
    const token = await provider.accessToken('hopper', 'analysis');
    await assert.rejects(identify(token, { provider: 'other' }), { code: 'invalid_token', kind: 'unauthenticated' });
    const closed = await setUp(context, { allow_external_tokens: false });
    const sender = await senderOf('robot');
    await assert.rejects(closed.identify(token, { provider: 'local', sender }), { code: 'on_behalf_of_refused' });
    assert.equal((await closed.identify(token)).user.uname, 'grace');
  });
});

function clientOf(client: string) {
  const roles = ['submission_view', 'file_detail'];
  return { client_id: client, scope: 'c', netloc: 'client.example.org', server: 'Client', roles };
}
