import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import { until } from '../../src/testing/until.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const WHOAMI = '/api/v4/user/whoami/';
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
});
after(() => fixture[Symbol.asyncDispose]());

/**
 * A token that the user gave to another client, good for as many seconds, and the session that this
 * client makes of it.
 */
async function sessionOfClient(seconds: number) {
  const token = await fixture.provider.accessToken('hopper', 'analysis', {
    azp: 'their-client',
    client_id: 'their-client',
    exp: Math.floor(Date.now() / 1000) + seconds,
  });
  const answer = await fixture.program.request('/api/v4/auth/login/', {
    service: 'analysis',
    method: 'POST',
    json: { oauth_token: token },
    headers: { 'user-agent': 'attacker' },
  });
  return { answer, cookie: new CookieJar(answer).header };
}

describe('a client that makes a session of the token that a user gave it', () => {
  it('is named by the audit log with every call, as with the token itself', async () => {
    const { cookie } = await sessionOfClient(600);
    const { answer, events } = await fixture.attack(WHOAMI, { service: 'analysis', headers: { cookie } });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(events, [
      {
        event: 'on_behalf_of_call',
        service: 'analysis',
        user: 'hopper',
        impersonator: 'their-client',
        method: 'session',
        azp: 'their-client',
        provider: 'main',
      },
    ]);
  });

  it('cannot call for longer than with the token', async () => {
    const { answer, cookie } = await sessionOfClient(4);
    assert.ok(answer.json.api_response.session_duration <= 4, answer.text);
    const headers = { cookie, 'user-agent': 'attacker' };
    const status = async () => (await fixture.program.request(WHOAMI, { service: 'analysis', headers })).status;
    assert.equal(await status(), 200);
    // The session is known to the process for another second.
    await until('the session ends', async () => (await status()) === 401, 10_000);
  });

  it('cannot ask with it for the permission to go on calling in the name of the user', async () => {
    const { cookie } = await sessionOfClient(600);
    const path =
      '/api/v4/auth/obo_token/?client_id=robot&redirect_url=https%3A%2F%2Frobot.example.org&scope=rw&server=Robots';
    const headers = { cookie, referer: 'https://robot.example.org/' };
    const { answer, changedUsers } = await fixture.attack(path, { service: 'analysis', headers });
    assert.equal(answer.status, 403, answer.text);
    assert.deepEqual(changedUsers, []);
  });
});
