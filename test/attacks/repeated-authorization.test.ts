import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, changesBy, probeOf, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
/** Good at the service, each by itself. */
const good = new Map<ServiceName, readonly [own: string, victims: string]>();
before(async () => {
  fixture = await startAttackFixture();
  const { program, provider } = fixture;
  const apikeys = { all: storedKey('secret', ['R', 'W', 'E']) };
  for (const name of ['attacker', 'victim']) await saveUser(program.foundation.users, name, { apikeys });
  const basic = (name: string) => `Basic ${btoa(`${name}:all:secret`)}`;
  const bearer = async (name: string, service: ServiceName) => `Bearer ${await provider.accessToken(name, service)}`;
  good.set('alerts', [basic('attacker'), basic('victim')]);
  good.set('analysis', [await bearer('hopper', 'analysis'), await bearer('lovelace', 'analysis')]);
  good.set('enrichment', [await bearer('hopper', 'enrichment'), await bearer('lovelace', 'enrichment')]);
  for (const [service, credentials] of good) {
    for (const authorization of credentials) assert.equal((await send(service, authorization)).status, 200);
  }
});
after(() => fixture[Symbol.asyncDispose]());

function send(service: ServiceName, authorization: string | readonly string[]) {
  return sendRaw(`${fixture.program.urls[service]}${probeOf(fixture.program, service)}`, {
    headers: { authorization },
  });
}

for (const service of SERVICES) {
  describe(`Authorization twice at the ${service} service, of which a proxy may have checked either`, () => {
    const ORDERS: Readonly<Record<string, (own: string, victims: string) => readonly string[]>> = {
      'the own credential first': (own, victims) => [own, victims],
      'the own credential last': (own, victims) => [victims, own],
      'the same twice': (own) => [own, own],
      'an empty one first': (own) => ['', own],
      'another scheme last': (own) => [own, 'Negotiate x'],
    };
    for (const [what, order] of Object.entries(ORDERS)) {
      it(`${what}: the request is refused, nothing is made, and the audit log has it`, async () => {
        const [own, victims] = good.get(service) ?? ['', ''];
        const from = fixture.events.length;
        const { answer, changedUsers } = await changesBy(fixture.program, () => send(service, order(own, victims)));
        assert.ok([400, 401].includes(answer.status), `${answer.status} ${answer.text}`);
        assert.deepEqual(changedUsers, []);
        assert.deepEqual(
          fixture.events.slice(from).map(({ event }) => event),
          ['credential_refused'],
        );
      });
    }
  });
}
