import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, pathOf, routesOf, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  await saveUser(fixture.program.foundation.users, 'agent', {
    type: ['user'],
    apikeys: { all: storedKey('secret', ['R', 'W', 'E']), read: storedKey('secret', ['R', 'E']) },
  });
});
after(() => fixture[Symbol.asyncDispose]());

describe('API keys above their owner', () => {
  const MADE: readonly { what: string; json: unknown; status: number; code: string }[] = [
    {
      what: 'a privilege that the credential has not',
      json: { name: 'more', priv: ['R', 'W', 'E'] },
      status: 403,
      code: 'privilege_not_held',
    },
    {
      what: 'a privilege that does not exist',
      json: { name: 'more', priv: 'RX' },
      status: 400,
      code: 'invalid_api_key_privileges',
    },
    {
      what: 'E together with I',
      json: { name: 'more', priv: 'EI', agents: ['agent'] },
      status: 400,
      code: 'invalid_api_key_privileges',
    },
    {
      what: 'a name that goes elsewhere in the account',
      json: { name: 'a.acl', priv: 'R' },
      status: 400,
      code: 'invalid_api_key_name',
    },
    {
      what: 'the name of a prototype',
      json: { name: '__proto__', priv: 'R' },
      status: 400,
      code: 'invalid_api_key_name',
    },
    {
      what: 'privileges that are an object',
      json: { name: 'more', priv: { 0: 'R', length: 1 } },
      status: 400,
      code: 'invalid_api_key_privileges',
    },
  ];
  for (const { what, json, status, code } of MADE) {
    it(`${what}: ${status}, no key is made, and the audit log has it`, async () => {
      const { answer, events, changedUsers } = await fixture.attack('/api/v1/auth/apikey/', {
        method: 'POST',
        basic: 'agent:read:secret',
        json,
      });
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(events, [{ event: 'api_key_refused', service: 'alerts', user: 'agent', by: 'agent', code }]);
    });
  }

  it('a key that was made with more than its owner has gives no user type', async () => {
    const forAdministrators = routesOf(fixture.program, 'alerts').filter(
      ({ access }) => access !== 'public' && access.roles !== 'any' && access.roles.every((role) => role === 'admin'),
    );
    assert.ok(forAdministrators.length > 0);
    for (const route of forAdministrators) {
      const { answer, changedUsers } = await fixture.attack(pathOf(route), {
        method: route.method,
        basic: 'agent:all:secret',
        ...(route.method === 'GET' ? {} : { json: { name: '' } }),
      });
      assert.equal(answer.status, 403, `${route.method} ${route.path}`);
      assert.deepEqual(changedUsers, []);
    }
  });

  it('users cannot raise their own rights by changing their account', async () => {
    for (const json of [
      { type: ['admin'] },
      { is_admin: true, roles: ['admin'], type: ['admin', 'user'] },
      { classification: 'TLP:RED' },
      { groups: ['ADMIN'] },
      { api_quota: 100_000, analysis_types: ['signature_manager'] },
      { roles: ['administration'] },
      { can_impersonate: true },
      { access_control: '*:*' },
      { apikeys: { mine: storedKey('x', ['R', 'W', 'E']) } },
      { ['__proto__']: { isAdmin: true }, constructor: { prototype: { isAdmin: true } } },
    ]) {
      const { changedUsers } = await fixture.attack('/api/v1/user/agent/', {
        method: 'PUT',
        basic: 'agent:all:secret',
        json,
      });
      assert.deepEqual(changedUsers, [], JSON.stringify(json));
    }
  });
});
