import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendRaw } from '../../src/testing/servers/raw-request.ts';
import { type AttackFixture, pathOf, probeOf, routesOf, startAttackFixture } from './attack-fixture.ts';

const SECRET = 'a-long-secret-of-a-program';
const GOOD = `Basic ${btoa(`program:${SECRET}`)}`;
const USER = { 'x-userid': 'alice', 'x-classification': 'UNRESTRICTED' };

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture({
    settings: { 'enrichment.api_keys': { program: SECRET, other: `${SECRET}-too` } },
  });
});
after(() => fixture[Symbol.asyncDispose]());

interface Row {
  readonly what: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly status: number;
  readonly code: string;
}

const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}`, ...USER });

const ROWS: readonly Row[] = [
  { what: 'a key that does not exist', headers: basic(`nobody:${SECRET}`), status: 403, code: 'unknown_service_key' },
  { what: 'the name of a prototype', headers: basic(`__proto__:${SECRET}`), status: 403, code: 'unknown_service_key' },
  { what: 'a name in another case', headers: basic(`PROGRAM:${SECRET}`), status: 403, code: 'unknown_service_key' },
  { what: 'a wrong secret', headers: basic('program:wrong'), status: 403, code: 'wrong_service_key' },
  {
    what: 'the beginning of the secret',
    headers: basic(`program:${SECRET.slice(0, -1)}`),
    status: 403,
    code: 'wrong_service_key',
  },
  {
    what: 'the secret of another key',
    headers: basic(`program:${SECRET}-too`),
    status: 403,
    code: 'wrong_service_key',
  },
  { what: 'no secret', headers: basic('program:'), status: 403, code: 'malformed_api_key' },
  { what: 'the password of a user', headers: basic('admin:admin'), status: 403, code: 'unknown_service_key' },
  {
    what: 'the wrong API key of a user',
    headers: basic('admin:devkey:wrong'),
    status: 403,
    code: 'unknown_service_key',
  },
  { what: 'no user that it vouches for', headers: { authorization: GOOD }, status: 403, code: 'caller_not_named' },
  {
    what: 'no classification',
    headers: { authorization: GOOD, 'x-userid': 'alice' },
    status: 403,
    code: 'caller_not_named',
  },
  {
    what: 'a classification that does not exist',
    headers: { ...USER, authorization: GOOD, 'x-classification': 'COSMIC' },
    status: 400,
    code: 'invalid_classification',
  },
  {
    what: 'a classification that is a query',
    headers: { ...USER, authorization: GOOD, 'x-classification': '* OR *:*' },
    status: 400,
    code: 'invalid_classification',
  },
  {
    what: 'a user of 300 characters',
    headers: { ...USER, authorization: GOOD, 'x-userid': 'u'.repeat(300) },
    status: 400,
    code: 'invalid_caller',
  },
];

describe('a configured key of the enrichment service', () => {
  for (const { what, headers, status, code } of ROWS) {
    it(`with ${what}: ${status}, and the audit log has it`, async () => {
      const { answer, told } = await ask(headers);
      assert.equal(answer.status, status, answer.text);
      assert.deepEqual(told, [['credential_refused', 'enrichment', 'api_key', code]]);
      assert.ok(!answer.text.includes(SECRET) && !JSON.stringify(fixture.events).includes(SECRET));
    });
  }

  it('that vouches twice vouches for no known user: no name is taken out of two', async () => {
    const { answer } = await ask({
      ...USER,
      authorization: GOOD,
      'x-userid': ['alice', 'admin'],
      'x-classification': ['UNRESTRICTED', 'RESTRICTED'],
    });
    assert.notEqual(answer.status, 200, answer.text);
  });

  it('is good for no other service', async () => {
    for (const [service, path] of [
      ['alerts', '/api/v1/user/whoami/'],
      ['analysis', '/api/v4/user/whoami/'],
    ] as const) {
      const { answer, changedUsers } = await fixture.attack(path, {
        service,
        headers: { ...USER, authorization: GOOD },
      });
      assert.equal(answer.status, 401, answer.text);
      assert.deepEqual(changedUsers, []);
    }
  });

  it('makes no account of the user that it vouches for, and no administrator of one with the name of an administrator', async () => {
    const before = await fixture.program.foundation.users.list();
    const { answer } = await ask({ ...USER, authorization: GOOD, 'x-userid': 'admin' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await fixture.program.foundation.users.list()).length, before.length);
    const forAdministrators = routesOf(fixture.program, 'enrichment').filter(
      ({ access }) => access !== 'public' && access.roles !== 'any' && access.roles.every((role) => role === 'admin'),
    );
    for (const route of forAdministrators) {
      const refused = await ask({ ...USER, authorization: GOOD, 'x-userid': 'admin' }, pathOf(route), route.method);
      assert.equal(refused.answer.status, 403, `${route.method} ${route.path}`);
    }
  });
});

async function ask(headers: Row['headers'], path = probeOf(fixture.program, 'enrichment'), method = 'GET') {
  const from = fixture.events.length;
  const answer = await sendRaw(`${fixture.program.urls.enrichment}${path}`, { method, headers });
  const told = fixture.events.slice(from).map(({ event, service, method: by, code }) => [event, service, by, code]);
  return { answer, told };
}
