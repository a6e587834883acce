import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, pathOf, routesOf, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const { users } = fixture.program.foundation;
  await saveUser(users, 'agent', {
    type: ['user'],
    apikeys: { all: storedKey('secret', ['R', 'W', 'E']), read: storedKey('secret', ['R', 'E']) },
  });
  await saveUser(users, 'bystander', { type: ['user'], apikeys: { all: storedKey('secret', ['R', 'W', 'E']) } });
  await saveUser(users, 'boss', {
    type: ['admin', 'user'],
    apikeys: {
      plain: storedKey('secret', ['R', 'W', 'E']),
      impersonate_read: storedKey('secret', ['R', 'I'], { agents: ['agent'] }),
      impersonate_late: storedKey('secret', ['R', 'I'], {
        agents: ['agent'],
        expiry_date: '2020-01-01T00:00:00.000000Z',
      }),
      impersonate_nobody: storedKey('secret', ['R', 'I']),
      agents_without_i: storedKey('secret', ['R', 'W'], { agents: ['agent'] }),
    },
  });
  await saveUser(users, 'clerk', {
    type: ['user'],
    apikeys: { impersonate_above: storedKey('secret', ['R', 'W', 'E', 'I'], { agents: ['agent', 'boss'] }) },
  });
  await saveUser(users, 'gone', {
    is_active: false,
    apikeys: {
      impersonate_read: storedKey('secret', ['R', 'I'], { agents: ['agent'] }),
      all: storedKey('secret', ['R']),
    },
  });
});
after(() => fixture[Symbol.asyncDispose]());

interface Row {
  readonly what: string;
  readonly basic?: string;
  readonly impersonating: string;
  readonly status: number;
  /** Undefined when the request names no other user, so the audit log has no line. */
  readonly code: string | undefined;
}

const basic = (text: string) => `Basic ${btoa(text)}`;

const IMPERSONATIONS: readonly Row[] = [
  {
    what: 'a key that is not flagged',
    impersonating: basic('boss:plain:secret'),
    status: 403,
    code: 'not_an_impersonation_key',
  },
  {
    what: 'a key with agents that is not flagged',
    impersonating: basic('boss:agents_without_i:secret'),
    status: 403,
    code: 'not_an_impersonation_key',
  },
  {
    what: 'a key that names no agents',
    impersonating: basic('boss:impersonate_nobody:secret'),
    status: 403,
    code: 'not_an_impersonation_key',
  },
  {
    what: 'a key for another user',
    basic: 'bystander:all:secret',
    impersonating: basic('boss:impersonate_read:secret'),
    status: 403,
    code: 'not_an_impersonation_key',
  },
  {
    what: 'the wrong secret',
    impersonating: basic('boss:impersonate_read:wrong'),
    status: 401,
    code: 'no_impersonated_user',
  },
  { what: 'no secret', impersonating: basic('boss:impersonate_read'), status: 401, code: 'no_impersonated_user' },
  {
    what: 'an expired key',
    impersonating: basic('boss:impersonate_late:secret'),
    status: 401,
    code: 'no_impersonated_user',
  },
  {
    what: 'a key that does not exist',
    impersonating: basic('boss:impersonate_none:secret'),
    status: 401,
    code: 'no_impersonated_user',
  },
  {
    what: 'the name of a prototype as key',
    impersonating: basic('boss:__proto__:secret'),
    status: 401,
    code: 'no_impersonated_user',
  },
  {
    what: 'the password of the user',
    impersonating: basic('boss:password'),
    status: 401,
    code: 'no_impersonated_user',
  },
  {
    what: 'a user who does not exist',
    impersonating: basic('nobody:impersonate_read:secret'),
    status: 401,
    code: 'no_impersonated_user',
  },
  {
    what: 'a user who is switched off',
    impersonating: basic('gone:impersonate_read:secret'),
    status: 403,
    code: 'account_disabled',
  },
  { what: 'a bearer token', impersonating: 'Bearer boss:token', status: 400, code: 'unknown_authorization_scheme' },
  {
    what: 'two headers in one',
    impersonating: `${basic('agent:all:secret')}, ${basic('boss:impersonate_read:secret')}`,
    status: 400,
    code: 'malformed_authorization',
  },
  {
    what: 'no credential of its own',
    basic: '',
    impersonating: basic('boss:impersonate_read:secret'),
    status: 401,
    code: undefined,
  },
  {
    what: 'a wrong credential of its own',
    basic: 'agent:wrong',
    impersonating: basic('boss:impersonate_read:secret'),
    status: 401,
    code: 'invalid_login',
  },
  {
    what: 'the impersonation key as its own credential',
    basic: 'boss:impersonate_read:secret',
    impersonating: basic('boss:impersonate_read:secret'),
    status: 403,
    code: 'impersonation_key_misused',
  },
  {
    what: 'an account of its own that is switched off',
    basic: 'gone:all:secret',
    impersonating: basic('boss:impersonate_read:secret'),
    status: 403,
    code: 'account_disabled',
  },
];

describe('impersonation', () => {
  for (const { what, basic: own = 'agent:all:secret', impersonating, status, code } of IMPERSONATIONS) {
    it(`with ${what}: ${status}, nothing is made, and the audit log has it`, async () => {
      const { answer, events, changedUsers } = await fixture.attack('/api/v1/user/boss/', {
        method: 'PUT',
        json: { name: 'taken over' },
        ...(own === '' ? {} : { basic: own }),
        headers: { 'x-impersonating': impersonating },
      });
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(
        events.map(({ event, code: why }) => [event, why]),
        code === undefined ? [] : [['credential_refused', code]],
      );
    });
  }

  it('is never more than the key allows: reading alone, on every route', async () => {
    const beyond = routesOf(fixture.program, 'alerts').filter(
      ({ access }) => access !== 'public' && access.privileges !== 'by_roles' && !access.privileges.includes('R'),
    );
    assert.ok(beyond.length > 10);
    for (const route of beyond) {
      const { answer, events, changedUsers } = await fixture.attack(pathOf(route), {
        method: route.method,
        basic: 'agent:all:secret',
        impersonate: 'boss:impersonate_read:secret',
      });
      assert.equal(answer.status, 403, `${route.method} ${route.path}: ${answer.text}`);
      assert.deepEqual(changedUsers, []);
      assert.deepEqual(events, [
        {
          event: 'impersonated',
          service: 'alerts',
          user: 'boss',
          impersonator: 'agent',
          method: 'api_key',
          key: 'impersonate_read',
        },
      ]);
    }
  });

  for (const own of ['agent:all:secret', 'boss:plain:secret']) {
    it(`with a key above its owner is never more than the owner is, for every caller (${own})`, async () => {
      const forAdministrators = routesOf(fixture.program, 'alerts').filter(
        ({ access }) =>
          access !== 'public' && access.roles !== 'any' && access.roles.every((role) => role.startsWith('admin')),
      );
      assert.ok(forAdministrators.length > 2);
      for (const route of forAdministrators) {
        const { answer, changedUsers } = await fixture.attack(pathOf(route), {
          method: route.method,
          basic: own,
          impersonate: 'clerk:impersonate_above:secret',
        });
        assert.equal(answer.status, 403, `${route.method} ${route.path}: ${answer.text}`);
        assert.deepEqual(changedUsers, []);
      }
      const { answer } = await fixture.attack('/api/v1/user/whoami/', {
        basic: own,
        impersonate: 'clerk:impersonate_above:secret',
      });
      assert.deepEqual([answer.json.api_response.username, answer.json.api_response.is_admin], ['clerk', false]);
    });
  }

  it('of a right key is told to the audit log with both names', async () => {
    const { answer, events } = await fixture.attack('/api/v1/user/whoami/', {
      basic: 'agent:all:secret',
      impersonate: 'boss:impersonate_read:secret',
    });
    assert.equal(answer.json.api_response.username, 'boss');
    assert.deepEqual(events, [
      {
        event: 'impersonated',
        service: 'alerts',
        user: 'boss',
        impersonator: 'agent',
        method: 'api_key',
        key: 'impersonate_read',
      },
    ]);
  });
});
