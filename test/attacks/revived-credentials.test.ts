import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { credentialFingerprint } from '../../src/identity/keys/api-key-records.ts';
import { NO_PASSWORD } from '../../src/identity/passwords/passwords.ts';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const NEVER = '2999-01-01T00:00:00Z';
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
});
after(() => fixture[Symbol.asyncDispose]());

const alerts = (path: string, bearer: string) => fixture.program.request(path, { bearer });
const login = (json: object) =>
  fixture.program.request('/api/v4/auth/login/', { service: 'analysis', method: 'POST', json });
const withSession = (headers: Record<string, string>) =>
  fixture.program.request('/api/v4/user/whoami/', { service: 'analysis', headers });

describe('what was got with an API key that leaked', () => {
  let appToken: string;
  let session: Record<string, string>;
  beforeEach(async () => {
    await saveUser(fixture.program.foundation.users, 'victim', {
      type: ['user'],
      apikeys: { daily: storedKey('leaked', ['R', 'W', 'E']), other: storedKey('secret', ['R', 'W', 'E']) },
    });
    const json = { user: 'victim', apikey: 'daily:leaked' };
    const answer = await fixture.program.request('/api/v1/auth/login', { method: 'POST', json });
    appToken = answer.json.api_response.app_token;
    session = new CookieJar(await login(json)).sessionHeaders;
    assert.equal((await alerts('/api/v1/user/whoami', appToken)).status, 200);
    assert.equal((await withSession(session)).status, 200);
  });

  it('does not come back with a key that is made under its name after it was revoked', async () => {
    const basic = 'victim:other:secret';
    await fixture.program.request('/api/v1/auth/apikey/daily', { method: 'DELETE', basic });
    const json = { name: 'daily', priv: 'RWE', expiry_date: NEVER };
    const made = await fixture.program.request('/api/v1/auth/apikey', { method: 'POST', basic, json });
    assert.equal(made.status, 200, made.text);
    assert.equal((await alerts('/api/v1/user/whoami', appToken)).status, 401);
    assert.equal((await withSession(session)).status, 401);
  });

  it('does not listen to live events for longer than 5 s after the key was revoked', async () => {
    const client = await SocketClient.admitted(fixture.program.urls.alerts, appToken);
    const basic = 'victim:other:secret';
    await fixture.program.request('/api/v1/auth/apikey/daily', { method: 'DELETE', basic });
    assert.equal(await client.status(5_000), 401);
    client.close();
  });

  it('does not allow more than the key, which was given less meanwhile', async () => {
    const changed = await fixture.program.request('/api/v4/apikey/add/?keyid=daily%2Bvictim', {
      service: 'analysis',
      method: 'PUT',
      headers: { 'x-user': 'victim', 'x-apikey': 'other:secret' },
      json: { key_name: 'daily', priv: ['R'], expiry_ts: null },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await alerts('/api/v1/user/whoami', appToken)).status, 200);
    const json = { name: 'mine', priv: 'RWE', expiry_date: NEVER };
    const more = await fixture.program.request('/api/v1/auth/apikey', { method: 'POST', bearer: appToken, json });
    assert.equal(more.status, 403, more.text);
  });
});

describe('what was open when an account was switched off', () => {
  it('is not open again when it is switched on', async () => {
    const { users, accounts } = fixture.program.foundation;
    await saveUser(users, 'intruded', { apikeys: { all: storedKey('secret', ['R', 'W', 'E']) } });
    const sessions = [
      new CookieJar(await login({ user: 'intruded', password: 'password' })).sessionHeaders,
      new CookieJar(await login({ user: 'intruded', apikey: 'all:secret' })).sessionHeaders,
    ];
    for (const session of sessions) assert.equal((await withSession(session)).status, 200);
    await accounts.setActive('intruded', false);
    for (const session of sessions) assert.ok([401, 403].includes((await withSession(session)).status));
    await accounts.setActive('intruded', true);
    // A process knows sessions for a second.
    await setTimeout(1100);
    for (const session of sessions) assert.equal((await withSession(session)).status, 401);
    const again = new CookieJar(await login({ user: 'intruded', password: 'password' })).sessionHeaders;
    assert.equal((await withSession(again)).status, 200);
  });

  for (const whenUsed of ['while it is off', 'when it is on again']) {
    it(`is not opened with the end of a login at a provider that had not been used, ${whenUsed}`, async () => {
      const { users, accounts, analysisIdentity } = fixture.program.foundation;
      const user = await saveUser(users, 'intruded', { password: NO_PASSWORD, identity_id: 'main:intruder' });
      const mark = credentialFingerprint(user, undefined);
      const signedIn = {
        username: 'intruded',
        provider: 'main',
        tokenEnds: Date.now() + 60_000,
        credentialFingerprint: mark,
      };
      const ticket = await analysisIdentity.tickets.issue(signedIn);
      await accounts.setActive('intruded', false);
      const opened =
        whenUsed === 'while it is off' ? await login({ user: 'intruded', oauth_token_id: ticket }) : undefined;
      await accounts.setActive('intruded', true);
      const answer = opened ?? (await login({ user: 'intruded', oauth_token_id: ticket }));
      assert.equal(answer.status, 401, answer.text);
      const fresh = await analysisIdentity.tickets.issue(signedIn);
      assert.equal((await login({ user: 'intruded', oauth_token_id: fresh })).status, 200);
    });
  }
});

describe('a user whose account was deleted, when another person gets the name', () => {
  it('is refused with the session of a login through a provider', async () => {
    const { users, accounts, analysisIdentity } = fixture.program.foundation;
    const fields = { password: NO_PASSWORD, identity_id: 'main:old', email: 'pat@example.org' };
    const user = await saveUser(users, 'pat', fields);
    const signedIn = {
      username: 'pat',
      provider: 'main',
      tokenEnds: Date.now() + 60_000,
      credentialFingerprint: credentialFingerprint(user, undefined),
    };
    const ticket = await analysisIdentity.tickets.issue(signedIn);
    const unused = await analysisIdentity.tickets.issue(signedIn);
    const session = new CookieJar(await login({ user: 'pat', oauth_token_id: ticket })).sessionHeaders;
    assert.equal((await withSession(session)).status, 200);
    await accounts.delete('pat');
    assert.equal((await withSession(session)).status, 401);
    await saveUser(users, 'pat', {
      ...fields,
      identity_id: 'main:new',
      email: 'pat.2@example.org',
      type: ['admin', 'user'],
    });
    assert.equal((await withSession(session)).status, 401);
    assert.equal((await login({ user: 'pat', oauth_token_id: unused })).status, 401);
  });

  it('leaves that person nothing: no picture, no settings, no favourites, at whichever service they were deleted', async () => {
    const { users } = fixture.program.foundation;
    const apikeys = { all: storedKey('secret', ['R', 'W', 'E']) };
    await saveUser(users, 'boss', { type: ['admin', 'user'], apikeys });
    const boss = { 'x-user': 'boss', 'x-apikey': 'all:secret' };
    const paths = ['settings/sam/', 'favorites/sam/', 'avatar/sam/', 'sam/?load_avatar'];
    const favorite = { name: 'hidden', query: 'hidden', classification: 'UNRESTRICTED', created_by: 'sam' };
    for (const service of ['alerts', 'analysis'] as const) {
      await saveUser(users, 'sam', { apikeys });
      const asSam = (path: string, method = 'GET', json?: unknown) =>
        fixture.program.request(`/api/v4/user/${path}`, {
          service: 'analysis',
          method,
          headers: { 'x-user': 'sam', 'x-apikey': 'all:secret' },
          ...(json === undefined ? {} : { json }),
        });
      const changes = [
        await asSam('settings/sam/', 'POST', { default_zip_password: 'hidden' }),
        await asSam('favorites/sam/search/', 'PUT', favorite),
        await fixture.program.request('/api/v1/user/avatar/sam', {
          method: 'POST',
          basic: 'sam:all:secret',
          body: 'hidden',
        }),
      ];
      for (const { status, text } of changes) assert.ok(status < 300, text);
      // What a service was asked for it remembers for a while.
      for (const path of paths) assert.match((await asSam(path)).text, /hidden/, path);
      const deleted =
        service === 'alerts'
          ? await fixture.program.request('/api/v1/user/sam', { method: 'DELETE', basic: 'boss:all:secret' })
          : await fixture.program.request('/api/v4/user/sam/', { service, method: 'DELETE', headers: boss });
      assert.ok(deleted.status < 300, deleted.text);
      await saveUser(users, 'sam', { apikeys });
      for (const path of paths) {
        assert.doesNotMatch((await asSam(path)).text, /hidden/, `${path}, deleted at ${service}`);
      }
    }
  });

  it('is refused with an access token of the provider', async () => {
    const { users, accounts } = fixture.program.foundation;
    const token = await fixture.provider.accessToken('hopper', 'alerts');
    assert.equal((await alerts('/api/v1/user/whoami', token)).json.api_response.username, 'hopper');
    await accounts.delete('hopper');
    await saveUser(users, 'hopper', { email: 'another@example.org', type: ['admin', 'user'] });
    const answer = await alerts('/api/v1/user/whoami', token);
    assert.notEqual(answer.json.api_response.username, 'hopper');
    assert.equal(answer.json.api_response.is_admin, false);
  });
});
