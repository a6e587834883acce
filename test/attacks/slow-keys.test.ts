import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hash } from '@node-rs/bcrypt';
import { saveUser } from '../../src/testing/identity/open-test-identity.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
/** Milliseconds that one hash takes here. */
let slow: number;
before(async () => {
  fixture = await startAttackFixture({ settings: { 'auth.internal.max_failures_per_address': 3 } });
  const begun = performance.now();
  const password = await hash('secret', { cost: 13 });
  slow = performance.now() - begun;
  await saveUser(fixture.program.foundation.users, 'victim', {
    apikeys: { old: { acl: ['R'], agents: [], password } },
  });
});
after(() => fixture[Symbol.asyncDispose]());

describe('the right secret of a key that a public system made', () => {
  it('is computed once for many requests at once', async () => {
    const begun = performance.now();
    const headers = { 'x-user': 'victim', 'x-apikey': 'old:secret' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        fixture.program.request('/api/v4/user/whoami/', { service: 'analysis', headers }),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.ok(performance.now() - begun < 5 * slow + 3000);
  });
});

describe('wrong secrets for a key that a public system made, whose hash is slow', () => {
  const WAYS = [
    (secret: string) => ({
      path: '/api/v4/user/whoami/',
      request: { service: 'analysis', headers: { 'x-user': 'victim', 'x-apikey': `old:${secret}` } } as const,
    }),
    (secret: string) => ({ path: '/api/v1/user/whoami', request: { basic: `victim:old:${secret}` } }),
    (secret: string) => ({
      path: '/api/v1/auth/login',
      request: { method: 'POST', json: { user: 'victim', apikey: `old:${secret}` } },
    }),
  ];
  it('are not computed any more for an address that had too many failures', async () => {
    for (const wayOf of WAYS) {
      for (let tries = 0; tries < 4; tries += 1) {
        const { path, request } = wayOf(`wrong ${tries}`);
        await fixture.program.request(path, request);
      }
      const { path, request } = wayOf('wrong');
      const begun = performance.now();
      for (let tries = 0; tries < 4; tries += 1) {
        const answer = await fixture.program.request(path, request);
        assert.equal(answer.status, 429, answer.text);
      }
      const took = performance.now() - begun;
      assert.ok(took < 3 * slow, `${took} ms for four answers, where one hash takes ${slow}`);
    }
  });
});
