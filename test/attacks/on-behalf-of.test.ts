import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { ANALYSIS_ROLES } from '../../src/documents/kinds/analysis-roles.ts';
import type { AllowedClient } from '../../src/identity/obo/own-tokens.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, pathOf, routesOf, startAttackFixture } from './attack-fixture.ts';

const WHOAMI = '/api/v4/user/whoami/';
const CLIENT: AllowedClient = {
  client_id: 'robot',
  scope: 'c',
  netloc: 'robot.example.org',
  server: 'Robots',
  roles: ['submission_view', 'self_manage', 'obo_access', 'apikey_access'],
};

let fixture: AttackFixture & AsyncDisposable;
/** Token of `victim` for `robot`. */
let token: string;
let withdrawn: string;
before(async () => {
  fixture = await startAttackFixture();
  const { users, ownTokens } = fixture.program.foundation;
  const apikeys = { all: storedKey('secret', ['R', 'W', 'E']), read: storedKey('secret', ['R']) };
  await saveUser(users, 'victim', { type: ['admin', 'user'], apikeys });
  await saveUser(users, 'robot', { can_impersonate: true, apikeys });
  await saveUser(users, 'other-robot', { can_impersonate: true, apikeys });
  await saveUser(users, 'mallory', { apikeys });
  await saveUser(users, 'off-robot', { can_impersonate: true, is_active: false, apikeys });
  await saveUser(users, 'gone', { is_active: false });
  ({ token } = await ownTokens.issue('victim', CLIENT));
  withdrawn = (await ownTokens.issue('victim', { ...CLIENT, server: 'Withdrawn' })).token;
  await ownTokens.forget('victim', String(decodeProtectedHeader(withdrawn).token_id));
  // The first use of a key on a day is noted with it, and the first of a token makes the account.
  const whoami = (headers: Record<string, string>) => fixture.program.request(WHOAMI, { service: 'analysis', headers });
  for (const name of ['victim', 'robot', 'other-robot', 'mallory']) {
    for (const own of ['all', 'read']) assert.equal((await whoami(key(name, own))).status, 200);
  }
  assert.equal((await whoami(bearer(await fixture.provider.accessToken('hopper', 'analysis')))).status, 200);
});
after(() => fixture[Symbol.asyncDispose]());

const key = (user: string, name = 'all') => ({ 'x-user': user, 'x-apikey': `${name}:secret` });
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const forged = (payload: object, header: object, alg = 'HS256') =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg, ...header }).sign(new TextEncoder().encode('x'.repeat(64)));

interface Row {
  readonly what: string;
  readonly headers: () => Promise<Record<string, string>> | Record<string, string>;
  readonly status: number;
  readonly code: string;
}

const CALLS: readonly Row[] = [
  {
    what: 'a token without the key of its client',
    headers: () => bearer(token),
    status: 401,
    code: 'on_behalf_of_client_missing',
  },
  {
    what: 'the key of another client',
    headers: () => ({ ...key('other-robot'), ...bearer(token) }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'the key of the user',
    headers: () => ({ ...key('victim'), ...bearer(token) }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'a wrong key of its client',
    headers: () => ({ 'x-user': 'robot', 'x-apikey': 'all:wrong', ...bearer(token) }),
    status: 401,
    code: 'invalid_login',
  },
  {
    what: 'a client that is switched off',
    headers: async () => {
      const own = await fixture.program.foundation.ownTokens.issue('mallory', { ...CLIENT, client_id: 'off-robot' });
      return { ...key('off-robot'), ...bearer(own.token) };
    },
    status: 401,
    code: 'api_key_owner_inactive',
  },
  {
    what: 'a client that may not impersonate',
    headers: async () => {
      const own = await fixture.program.foundation.ownTokens.issue('robot', { ...CLIENT, client_id: 'mallory' });
      return { ...key('mallory'), ...bearer(own.token) };
    },
    status: 403,
    code: 'not_an_impersonator',
  },
  {
    what: 'a token of a provider beside the key of one who may not impersonate',
    headers: async () => ({ ...key('mallory'), ...bearer(await fixture.provider.accessToken('hopper', 'analysis')) }),
    status: 403,
    code: 'not_an_impersonator',
  },
  {
    what: 'a token that was taken back',
    headers: () => ({ ...key('robot'), ...bearer(withdrawn) }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'a token of a user who is switched off',
    headers: async () => {
      const own = await fixture.program.foundation.ownTokens.issue('gone', CLIENT);
      return { ...key('robot'), ...bearer(own.token) };
    },
    status: 403,
    code: 'account_disabled',
  },
  {
    what: 'a token that is signed with another secret',
    headers: async () => {
      const { token_id } = decodeProtectedHeader(token);
      return { ...key('robot'), ...bearer(await forged(CLIENT, { token_id, user: 'victim' })) };
    },
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'a token of no algorithm',
    headers: () => {
      const { token_id } = decodeProtectedHeader(token);
      const header = Buffer.from(JSON.stringify({ alg: 'none', token_id, user: 'victim' })).toString('base64url');
      return { ...key('robot'), ...bearer(`${header}.${token.split('.')[1]}.`) };
    },
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: "the service's own token as one of a provider",
    headers: () => ({ ...key('robot'), ...bearer(token), 'x-token-provider': 'main' }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'a token of one provider with the name of another',
    headers: async () => ({
      ...key('robot'),
      ...bearer(await fixture.provider.accessToken('hopper', 'analysis')),
      'x-token-provider': 'other',
    }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'the name of a provider that does not exist',
    headers: async () => ({
      ...bearer(await fixture.provider.accessToken('hopper', 'analysis')),
      'x-token-provider': '__proto__',
    }),
    status: 401,
    code: 'invalid_token',
  },
  {
    what: 'a token for the alert service beside a key',
    headers: async () => ({ ...key('robot'), ...bearer(await fixture.provider.accessToken('hopper', 'alerts')) }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'a token of an untrusted provider beside a key',
    headers: async () => ({ ...key('robot'), ...bearer(await fixture.unknown.accessToken('hopper', 'analysis')) }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'rubbish beside a key',
    headers: () => ({ ...key('robot'), ...bearer('x') }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  // As the client itself such a call would be good, and do what was meant for the user.
  ...['Bearer', 'bearer', 'Bearer a b', `Bearer ${'a '.repeat(3000)}`, 'Bearer\tx', 'BEARER , x'].map(
    (authorization) => ({
      what: `the header ${JSON.stringify(authorization.slice(0, 20))} beside a key`,
      headers: () => ({ ...key('robot'), authorization }),
      status: 403,
      code: 'on_behalf_of_refused',
    }),
  ),
  {
    what: 'a token and something behind it',
    headers: () => ({ ...key('robot'), authorization: `Bearer ${token} x` }),
    status: 403,
    code: 'on_behalf_of_refused',
  },
  {
    what: 'no token behind its scheme',
    headers: () => ({ authorization: 'Bearer' }),
    status: 401,
    code: 'invalid_token',
  },
];

describe('calls in the name of a user', () => {
  for (const { what, headers, status, code } of CALLS) {
    it(`with ${what}: ${status}, nothing is made, and the audit log has it`, async () => {
      const { answer, events, changedUsers } = await fixture.attack(WHOAMI, {
        service: 'analysis',
        headers: await headers(),
      });
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(changedUsers, []);
      const last = events.at(-1);
      assert.deepEqual([last?.event, last?.code], ['credential_refused', code]);
      assert.doesNotMatch(JSON.stringify(events), /eyJ|secret/);
    });
  }

  it('are good with the token and the key of its client, on the same ground', async () => {
    const { answer, events } = await fixture.attack(WHOAMI, {
      service: 'analysis',
      headers: { ...key('robot'), ...bearer(token) },
    });
    assert.equal(answer.json.api_response.username, 'victim', answer.text);
    const [event] = events;
    assert.deepEqual(
      [event?.event, event?.user, event?.impersonator, event?.azp],
      ['on_behalf_of_call', 'victim', 'robot', 'robot'],
    );
  });

  it('never reach what the token does not allow, on any route', async () => {
    const beyond = routesOf(fixture.program, 'analysis').filter(
      ({ access }) =>
        access !== 'public' &&
        access.roles !== 'any' &&
        access.roles.every((role) => !CLIENT.roles.includes(role) || role === 'obo_access'),
    );
    assert.ok(beyond.some(({ path }) => path === '/api/v4/auth/obo_token/'));
    assert.ok(beyond.length > 5);
    for (const route of beyond) {
      const { answer, changedUsers } = await fixture.attack(pathOf(route), {
        service: 'analysis',
        method: route.method,
        headers: { ...key('robot'), ...bearer(token), referer: `${fixture.program.urls.analysis}/` },
        ...(route.method === 'GET' ? {} : { json: {} }),
      });
      assert.ok([400, 403].includes(answer.status), `${route.method} ${route.path}: ${answer.status} ${answer.text}`);
      assert.deepEqual(changedUsers, [], route.path);
    }
  });
});

describe('a client that has every role of its user', () => {
  const rows = [
    { method: 'PUT', path: '/api/v4/apikey/add/', json: { key_name: 'mine', priv: ['R', 'W'], expiry_ts: null } },
    { method: 'PUT', path: '/api/v4/apikey/add/?keyid=read%2Bvictim', json: { key_name: 'read', priv: ['R', 'W'] } },
    {
      method: 'POST',
      path: '/api/v4/user/victim/',
      json: { name: 'victim', uname: 'victim', new_pass: 'a password that the client knows' },
    },
    { method: 'GET', path: '/api/v4/auth/setup_otp/' },
    { method: 'GET', path: '/api/v4/auth/validate_otp/123456/' },
    { method: 'GET', path: '/api/v4/auth/disable_otp/' },
    { method: 'GET', path: '/api/v4/auth/unset_otp/victim/' },
  ];
  for (const { method, path, json } of rows) {
    it(`cannot keep the account with ${method} ${path}: 403`, async () => {
      const { ownTokens } = fixture.program.foundation;
      const full = await ownTokens.issue('victim', { ...CLIENT, server: 'Full', roles: [...ANALYSIS_ROLES] });
      const { answer, changedUsers } = await fixture.attack(path, {
        service: 'analysis',
        method,
        headers: { ...key('robot'), ...bearer(full.token) },
        ...(json === undefined ? {} : { json }),
      });
      assert.equal(answer.status, 403, answer.text);
      assert.match(answer.text, /Only users themselves/);
      assert.deepEqual(changedUsers, []);
    });
  }
});
