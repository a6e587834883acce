import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CookieJar } from '../../src/testing/identity/cookie-jar.ts';
import type { TestRequest } from '../../src/testing/start-test-program.ts';
import { type AttackFixture, openAttackFixture, startAttackFixture } from './attack-fixture.ts';

const LOCK_OUT = { 'auth.internal.max_failures': 3, 'auth.internal.max_failures_per_user': 6 };
const BEHIND_PROXY = { 'http.trusted_proxies': ['127.0.0.1', '10.0.0.0/8'] };

let fixture: AttackFixture & AsyncDisposable;
let user = 0;
before(async () => {
  const settings = { ...BEHIND_PROXY, ...LOCK_OUT, 'enrichment.api_keys': { robot: 'secret' } };
  fixture = await startAttackFixture({ settings });
});
after(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  user += 1;
  fixture.events.length = 0;
});

/** Wrong passwords of a new user; the status of each. */
async function guess(forwardedFor: readonly string[], request: TestRequest = {}): Promise<readonly number[]> {
  const { service = 'alerts' } = request;
  const path = service === 'alerts' ? '/api/v1/auth/login/' : '/api/v4/auth/login/';
  const codes: string[] = [];
  for (const [number, address] of forwardedFor.entries()) {
    const json = { user: `victim${user}`, password: `guess ${number}` };
    const headers = { 'x-forwarded-for': address };
    await fixture.program.request(path, { service, method: 'POST', json, headers });
    codes.push(String(fixture.events.findLast(({ event }) => event === 'login_failed')?.code));
  }
  return codes.map((code) => (code === 'locked_out' ? 0 : 401));
}

function addresses(): ReadonlySet<string | undefined> {
  return new Set(fixture.events.map(({ address }) => address));
}

const TRIES = [1, 2, 3, 4, 5];
const LOCKED_AFTER_3 = [401, 401, 401, 0, 0];

for (const service of ['alerts', 'analysis'] as const) {
  describe(`an address that is written in many ways, at the ${service} service`, () => {
    const ROWS: readonly { what: string; write: (number: number) => string; address: string }[] = [
      { what: 'IPv4 with ports', write: (number) => `203.0.113.9:${4000 + number}`, address: '203.0.113.9' },
      { what: 'IPv6 with ports', write: (number) => `[2001:db8::9]:${4000 + number}`, address: '2001:db8::9' },
      {
        what: 'IPv6 in brackets',
        write: (number) => (number % 2 ? '[2001:db8::8]' : '2001:DB8:0::8'),
        address: '2001:db8::8',
      },
      { what: 'IPv6 with zones', write: (number) => `fe80::7%eth${number}`, address: 'fe80::7' },
      {
        what: 'IPv4 as IPv6',
        write: (number) => (number % 2 ? '::ffff:203.0.113.6' : '[::ffff:cb00:7106]:80'),
        address: '203.0.113.6',
      },
      {
        what: 'forged addresses before it',
        write: (number) => `198.51.100.${number}, 203.0.113.5`,
        address: '203.0.113.5',
      },
      {
        what: 'forged addresses before two proxies',
        write: (number) => `198.51.100.${number},203.0.113.4:1,10.0.0.${number}`,
        address: '203.0.113.4',
      },
    ];
    for (const { what, write, address } of ROWS) {
      it(`${what}: counts as one`, async () => {
        assert.deepEqual(await guess(TRIES.map(write), { service }), LOCKED_AFTER_3);
        assert.deepEqual([...addresses()], [address]);
      });
    }

    it('text that is not an address counts as the proxy that sent it, and no log has it', async () => {
      const texts = ['<script>', 'unknown', '1.2.3.4:99999', '203.0.113.9, evil', `${'x'.repeat(9000)}`];
      assert.deepEqual(await guess(texts, { service }), LOCKED_AFTER_3);
      assert.deepEqual([...addresses()], ['127.0.0.1']);
      user += 1;
      fixture.events.length = 0;
      assert.deepEqual(
        await guess(
          TRIES.map((number) => `guess${number}, 10.0.0.1`),
          { service },
        ),
        LOCKED_AFTER_3,
      );
      assert.deepEqual([...addresses()], ['10.0.0.1']);
    });

    it('other addresses have counts of their own, up to the limit of the user', async () => {
      const tries = Array.from({ length: 8 }, (_, number) => `192.0.2.${number}`);
      assert.deepEqual(await guess(tries, { service }), [401, 401, 401, 401, 401, 401, 0, 0]);
      const everywhere = fixture.events.filter(({ event, address }) => event === 'locked_out' && address === undefined);
      assert.deepEqual(
        everywhere.map((event) => event.user),
        [`victim${user}`],
      );
    });
  });
}

describe('wrong passwords from one address', () => {
  it('lock no user out elsewhere, at either service', async () => {
    const login = (password: string, address: string, service: 'alerts' | 'analysis' = 'alerts') =>
      fixture.program.request(service === 'alerts' ? '/api/v1/auth/login/' : '/api/v4/auth/login/', {
        ...{ service, method: 'POST' },
        headers: { 'x-forwarded-for': address },
        json: { user: 'goose', password },
      });
    for (let count = 0; count < 20; count += 1) await login(`guess ${count}`, '203.0.113.66');
    for (const service of ['alerts', 'analysis'] as const) {
      assert.equal((await login('goose', '203.0.113.66', service)).status, 401, 'the address is locked out');
      assert.equal((await login('goose', '203.0.113.67', service)).status, 200, 'another one is not');
    }
  });
});

it('wrong keys of the enrichment service count by address, with any port', async (context) => {
  const settings = {
    ...BEHIND_PROXY,
    'auth.internal.max_failures_per_address': 3,
    'enrichment.api_keys': { robot: 'a' },
  };
  const { program } = await openAttackFixture(context, { settings });
  const send = async (address: string) => {
    const headers = { 'x-forwarded-for': address, 'x-userid': 'ada', 'x-classification': 'UNRESTRICTED' };
    const answer = await program.request('/api/v1/', { service: 'enrichment', basic: 'robot:wrong', headers });
    return answer.status;
  };
  const statuses: number[] = [];
  for (const number of TRIES) statuses.push(await send(`203.0.113.9:${number}`));
  assert.deepEqual(statuses, [403, 403, 403, 429, 429]);
  assert.equal(await send('203.0.113.10:1'), 403);
});

it('a session of the analysis service belongs to the address, not to its port', async () => {
  const jar = new CookieJar();
  const at = (address: string, request: TestRequest = {}) =>
    fixture.program.request(request.method ? '/api/v4/auth/login/' : '/api/v4/user/whoami/', {
      service: 'analysis',
      ...request,
      headers: { 'x-forwarded-for': address, cookie: jar.header, 'x-xsrf-token': token },
    });
  let token = '';
  const opened = await at('203.0.113.20:1', { method: 'POST', json: { user: 'goose', password: 'goose' } });
  jar.keep(opened);
  token = /XSRF-TOKEN=([^;]+)/.exec(jar.header)?.[1] ?? '';
  for (const address of ['203.0.113.20:2', '203.0.113.20', '::ffff:203.0.113.20']) {
    const answer = await at(address);
    assert.equal(answer.status, 200, answer.text);
  }
  assert.equal((await at('203.0.113.21:1')).status, 401);
});

it('nothing that a caller says counts without trusted proxies', async (context) => {
  const { program, events } = await openAttackFixture(context, { settings: LOCK_OUT });
  for (const number of TRIES) {
    const headers = { 'x-forwarded-for': `203.0.113.${number}` };
    const json = { user: 'goose', password: `guess ${number}` };
    await program.request('/api/v1/auth/login/', { method: 'POST', headers, json });
  }
  assert.deepEqual([...new Set(events.map(({ address }) => address))], ['127.0.0.1']);
  assert.equal(events.filter(({ code }) => code === 'locked_out').length, 2);
});
