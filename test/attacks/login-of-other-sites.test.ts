import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { saveUser } from '../../src/testing/identity/open-test-identity.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

const LOGIN = '/api/v4/auth/login/';
let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture({ settings: { 'auth.oauth.redirect_origins': ['https://triad.example.org'] } });
  await saveUser(fixture.program.foundation.users, 'attacker');
});
after(() => fixture[Symbol.asyncDispose]());

const FORM = 'user=attacker&password=password';

function send(method: string, headers: Record<string, string>) {
  const query = method === 'GET' ? `?${FORM}` : '';
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return sendRaw(`${fixture.program.urls.analysis}${LOGIN}${query}`, {
    method,
    headers: { ...headers, ...(method === 'POST' ? type : {}) },
    ...(method === 'POST' ? { body: FORM } : {}),
  });
}

/** A page that a user visits signs them in to an account of its owner. */
describe('a page of another site that has the browser log in', () => {
  const PAGES: readonly { what: string; headers: Record<string, string>; status: number }[] = [
    { what: 'a link', headers: { 'sec-fetch-site': 'cross-site' }, status: 401 },
    {
      what: 'a form',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', referer: 'https://evil.example/' },
      status: 401,
    },
    {
      what: 'a form of a page whose address begins like that of a known one',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://triad.example.org.evil.example' },
      status: 401,
    },
    { what: 'a form of a sandbox', headers: { 'sec-fetch-site': 'cross-site', origin: 'null' }, status: 401 },
    {
      what: 'a web interface that the settings name',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://triad.example.org' },
      status: 200,
    },
    { what: 'a page of the service', headers: { 'sec-fetch-site': 'same-origin' }, status: 200 },
    { what: 'a typed address', headers: { 'sec-fetch-site': 'none' }, status: 200 },
    { what: 'a program', headers: {}, status: 200 },
  ];
  for (const { what, headers, status } of PAGES) {
    it(`${what}: ${status}`, async () => {
      for (const method of ['GET', 'POST']) {
        fixture.events.length = 0;
        const answer = await send(method, headers);
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.headers.getSetCookie().length, status === 200 ? 2 : 0);
        const [event] = fixture.events;
        const expected = status === 200 ? ['login_succeeded', undefined] : ['login_failed', 'login_of_other_site'];
        assert.deepEqual([event?.event, event?.code], expected);
      }
    });
  }
});
