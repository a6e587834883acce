import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { saveUser, storedKey } from '../../src/testing/identity/open-test-identity.ts';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, changesBy, probeOf, routesOf, startAttackFixture } from './attack-fixture.ts';

/** That routes are declared with; HEAD and OPTIONS follow from them, and CONNECT is for proxies. */
const USUAL: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT']);
const OTHERS = METHODS.filter((method) => !USUAL.has(method));

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
  await saveUser(fixture.program.foundation.users, 'attacker', {
    type: ['admin', 'user'],
    apikeys: { all: storedKey('secret', ['R', 'W', 'E']) },
    key_details: { all: { last_used: new Date().toISOString() } },
  });
});
after(() => fixture[Symbol.asyncDispose]());

function credentialsAt(service: ServiceName): Record<string, string> {
  if (service === 'analysis') return { 'x-user': 'attacker', 'x-apikey': 'all:secret' };
  return service === 'alerts' ? { authorization: `Basic ${btoa('attacker:all:secret')}` } : {};
}

describe('a method that nothing answers', () => {
  assert.ok(OTHERS.includes('QUERY') && OTHERS.includes('TRACE') && OTHERS.includes('PROPFIND'));
  for (const service of SERVICES) {
    for (const method of OTHERS) {
      it(`${method} at the ${service} service: 405 where something is, else 404, with and without a credential`, async () => {
        for (const headers of [{}, credentialsAt(service)]) {
          for (const [path, status] of [
            [probeOf(fixture.program, service), 405],
            ['/nothing/of/this/', 404],
          ] as const) {
            const { answer, changedUsers } = await changesBy(fixture.program, () =>
              sendRaw(`${fixture.program.urls[service]}${path}`, { method, headers }),
            );
            assert.equal(answer.status, status, `${path}: ${answer.text}`);
            assert.equal(answer.json.api_status_code, status, 'in the envelope of the service');
            assert.ok(!answer.text.includes('secret'), 'nothing of the request comes back');
            assert.deepEqual(changedUsers, []);
          }
        }
      });
    }
  }
});

describe('a method in a header, as frameworks take it for browsers', () => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override', '_method']) {
    it(`${name} makes nothing of a GET but a GET`, async () => {
      const own = '/api/v4/user/attacker/';
      assert.ok(
        routesOf(fixture.program, 'analysis').some(
          ({ method, path }) => method === 'DELETE' && path.includes('<username>'),
        ),
      );
      const { answer, changedUsers } = await fixture.attack(`${own}?_method=DELETE`, {
        service: 'analysis',
        headers: { ...credentialsAt('analysis'), [name]: 'DELETE' },
      });
      assert.equal(answer.json.api_response.uname, 'attacker', answer.text);
      assert.deepEqual(changedUsers, []);
    });
  }

  it('and HEAD does what GET does, and reaches no other caller', async () => {
    for (const service of SERVICES) {
      const url = `${fixture.program.urls[service]}${probeOf(fixture.program, service)}`;
      assert.equal((await sendRaw(url, { method: 'HEAD' })).status, 401, service);
    }
  });
});
