import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES } from '../../src/identity/actor.ts';
import { type AttackFixture, pathOf, probeOf, routesOf, startAttackFixture } from './attack-fixture.ts';
import { FORGED_TOKENS, VICTIM } from './forged-tokens.ts';

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
});
after(() => fixture[Symbol.asyncDispose]());

for (const service of SERVICES) {
  describe(`a forged token at the ${service} service`, () => {
    for (const { what, code = 'invalid_token', signedBy, make } of FORGED_TOKENS) {
      it(`${what}: 401, nothing is made, and the audit log has it`, async () => {
        const bearer = await make(fixture, service);
        const { answer, events, changedUsers } = await fixture.attack(probeOf(fixture.program, service), {
          service,
          bearer,
        });
        assert.equal(answer.status, 401, answer.text);
        assert.deepEqual(changedUsers, []);
        const holder = signedBy === undefined ? {} : { provider: signedBy, ...subjectOf(bearer) };
        const named = events.map(({ azp: _azp, ...event }) => event);
        assert.deepEqual(named, [{ event: 'credential_refused', service, method: 'oauth', ...holder, code }]);
        assertSaysNothing(answer.text, bearer);
      });
    }

    it('is refused by every route that is not public, with every method', async () => {
      const guarded = routesOf(fixture.program, service).filter(({ access }) => access !== 'public');
      assert.ok(guarded.length > 0);
      const [{ make } = { make: async () => '' }] = FORGED_TOKENS;
      const bearer = await make(fixture, service);
      for (const route of guarded) {
        const { answer, changedUsers } = await fixture.attack(pathOf(route), { service, bearer, method: route.method });
        assert.equal(answer.status, 401, `${route.method} ${route.path}: ${answer.text}`);
        assert.deepEqual(changedUsers, []);
      }
    });

    it('and a real one is accepted and makes the account: the refusals above are due to the forgery', async () => {
      const bearer = await fixture.provider.accessToken(VICTIM, service);
      const { answer } = await fixture.attack(probeOf(fixture.program, service), { service, bearer });
      assert.equal(answer.status, 200, answer.text);
      const email = 'ada.lovelace@example.org';
      const found = (await fixture.program.foundation.users.list()).filter((user) => user.email === email);
      assert.equal(found.length, 1, 'one account for all services');
    });
  });
}

it('makes the program fetch keys from the providers of its settings only', () => {
  assert.deepEqual(fixture.fetched, []);
  assert.deepEqual(fixture.unknown.requests, []);
});

function subjectOf(token: string): { readonly subject?: string } {
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return typeof sub === 'string' && sub !== '' ? { subject: sub } : {};
}

/** Not which check it failed, not what was expected, nothing of the token. */
function assertSaysNothing(text: string, token: string): void {
  assert.doesNotMatch(
    text,
    /audience|issuer|signature|algorithm|\bkid\b|\bjw[ks]\b|\bstack\b|node_modules|127\.0\.0\.1|\.ts\b/i,
  );
  for (const part of token.split('.'))
    assert.ok(part.length < 8 || !text.includes(part), 'a part of the token is in the answer');
}
