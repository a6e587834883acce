import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import type { TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const PASSWORD = 'a password of the thief';
const ROLES = ['self_manage', 'apikey_access'];
const last_used = new Date().toISOString();

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  const keys = {
    extended: ['E'],
    reading: ['R', 'E'],
    writing: ['W', 'E'],
    chosen: [],
    full: ['R', 'W', 'E'],
  } as const;
  const apikeys = Object.fromEntries(Object.entries(keys).map(([name, acl]) => [name, storedKey('secret', [...acl])]));
  const key_details = Object.fromEntries(
    Object.keys(keys).map((name) => [name, name === 'chosen' ? { last_used, roles: ROLES } : { last_used }]),
  );
  const agents = { agents: ['agent'] };
  await saveUser(fixture.program.foundation.users, 'victim', {
    type: ['user'],
    apikeys: { ...apikeys, impersonate_all: storedKey('secret', ['R', 'W', 'E', 'I'], agents) },
    key_details: { ...key_details, impersonate_all: { last_used } },
  });
  await saveUser(fixture.program.foundation.users, 'agent', { apikeys: { all: storedKey('secret', ['R', 'W', 'E']) } });
});
after(() => fixture[Symbol.asyncDispose]());

const alerts = (json: object, how: TestRequest) =>
  fixture.attack('/api/v1/user/victim/', { method: 'PUT', json, ...how });
/** Changes the password as pages do: they send the account back as they received it. */
const analysis = async (json: object, name: string) => {
  const request = { service: 'analysis', headers: { 'x-user': 'victim', 'x-apikey': `${name}:secret` } } as const;
  const { answer } = await fixture.attack('/api/v4/user/victim/', request);
  const account = { ...answer.json.api_response, ...json };
  return fixture.attack('/api/v4/user/victim/', { ...request, method: 'POST', json: account });
};

describe('the finder of a key with fewer rights than its owner', () => {
  for (const name of ['extended', 'reading', 'writing']) {
    it(`cannot make a password of it at the alert service: the key ${name}, or what it was exchanged for`, async () => {
      const login = await fixture.program.request('/api/v1/auth/login', {
        method: 'POST',
        json: { user: 'victim', apikey: `${name}:secret` },
      });
      const bearer = login.json.api_response.app_token;
      for (const how of [{ basic: `victim:${name}:secret` }, { bearer }]) {
        const { answer, changedUsers, events } = await alerts({ new_pass: PASSWORD }, how);
        assert.equal(answer.status, 403, answer.text);
        assert.match(answer.json.api_error_message, /cannot set a password/);
        assert.deepEqual([changedUsers, events], [[], []]);
        assert.equal((await alerts({ name: `Victim ${name}` }, how)).answer.status, 200, 'the rest is theirs');
      }
    });
  }

  for (const name of ['extended', 'reading', 'chosen']) {
    it(`cannot make a password of it at the analysis service: the key ${name}, or its session`, async () => {
      const { answer, changedUsers, events } = await analysis({ new_pass: PASSWORD }, name);
      assert.equal(answer.status, 403, answer.text);
      assert.match(answer.json.api_error_message, /cannot set a password/);
      assert.deepEqual([changedUsers, events], [[], []]);
      assert.equal((await analysis({ name: `Victim of ${name}` }, name)).answer.status, 200, 'the rest is theirs');
      const { analysisIdentity } = fixture.program.foundation;
      const who = { address: '127.0.0.1', userAgent: 'attacker' };
      const opened = await analysisIdentity.login({ user: 'victim', apikey: `${name}:secret`, ...who });
      const bySession = await fixture.attack('/api/v4/user/victim/', {
        service: 'analysis',
        method: 'POST',
        json: { name: 'victim', uname: 'victim', new_pass: PASSWORD },
        headers: { cookie: `session=${opened.session}` },
      });
      assert.equal(bySession.answer.status, 403, bySession.answer.text);
      assert.deepEqual(bySession.changedUsers, []);
    });
  }

  it('nor with any key for impersonation', async () => {
    const { answer, changedUsers } = await alerts(
      { new_pass: PASSWORD },
      { basic: 'agent:all:secret', impersonate: 'victim:impersonate_all:secret' },
    );
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(changedUsers, []);
  });
});

it('with a key of everything, or the password itself, users set their password at both services', async () => {
  const first = await alerts({ new_pass: `${PASSWORD} 1` }, { basic: 'victim:full:secret' });
  assert.equal(first.answer.status, 200, first.answer.text);
  const second = await alerts({ new_pass: `${PASSWORD} 2` }, { basic: `victim:${PASSWORD} 1` });
  assert.equal(second.answer.status, 200, second.answer.text);
  const third = await analysis({ new_pass: `${PASSWORD} 3` }, 'full');
  assert.equal(third.answer.status, 200, third.answer.text);
  assert.deepEqual(third.changedUsers, ['victim']);
});
