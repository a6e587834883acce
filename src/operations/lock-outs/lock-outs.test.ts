import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { ADMINISTRATOR, askOperations } from '../../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

let program: TestProgram;
const events: AuditEvent[] = [];
before(async () => {
  program = await startTestProgram({
    settings: { 'auth.internal.max_failures': 2, 'auth.internal.max_failures_per_address': 1_000_000 },
    onAudit: (event) => void events.push(event),
  });
});
after(() => program.close());

const login = async (user: string, password: string) => {
  const answer = await program.request('/api/v1/auth/login', { method: 'POST', json: { user, password } });
  return answer.status;
};
const list = async () => (await askOperations(program, '/v1/lock-outs')).json;
const lift = (query: string) => askOperations(program, `/v1/lock-outs?${query}`, { method: 'DELETE' });

describe('lock-outs', () => {
  it('are listed by user and network, and lifted', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) assert.equal(await login('user', 'wrong'), 401);
    assert.equal(await login('user', 'user'), 401, 'locked out');
    const { lock_outs: found, total } = await list();
    const seen = found.map((one: Record<string, unknown>) => [one.user, one.network, one.failures, one.locked]);
    assert.deepEqual(seen, [
      ['user', '127.0.0.1', 2, true],
      ['user', null, 2, false],
      [null, '127.0.0.1', 2, false],
    ]);
    assert.equal(total, 3);
    assert.ok(Date.parse(found[0].ends_at) > Date.now());

    assert.deepEqual((await lift('user=huey')).json, { lifted: 0 });
    assert.equal(await login('user', 'user'), 401, 'of another user');
    assert.deepEqual((await lift('user=user')).json, { lifted: 2 });
    assert.equal(await login('user', 'user'), 200);
    const { event, user, by, target } = events.findLast((one) => one.event === 'lock_out_lifted') ?? {};
    assert.deepEqual([event, user, by, target], ['lock_out_lifted', 'user', 'admin', undefined]);
    assert.deepEqual((await lift('address=127.0.0.1')).json, { lifted: 1 });
    assert.equal((await list()).total, 0);
  });

  it('of a user at one network are lifted alone', async () => {
    const { counters } = program.foundation.coordination;
    for (const network of ['10.0.0.1', '2001:db8:0:7', 'x']) {
      await counters.increment(`login-failures:password:${network} lin`, 60_000, { by: 5 });
    }
    const users = (await list()).lock_outs.map((one: { user: string; network: string }) => [one.user, one.network]);
    assert.deepEqual(users.sort(), [
      ['lin', '10.0.0.1'],
      ['lin', '2001:db8:0:7'],
      ['x lin', null],
    ]);
    assert.deepEqual((await lift('user=lin&address=2001:db8:0:7:1::5')).json, { lifted: 1 });
    assert.deepEqual((await lift('user=lin&address=10.0.0.2')).json, { lifted: 0 });
    assert.deepEqual((await lift('user=lin')).json, { lifted: 1 });
    assert.deepEqual((await lift(`user=${encodeURIComponent('x lin')}`)).json, { lifted: 1 });
    assert.equal((await list()).total, 0);
  });

  it('need a name or an address, and rights to change accounts', async () => {
    const neither = await lift('');
    assert.deepEqual(
      [neither.status, neither.json.error.code, neither.json.error.at],
      [400, 'argument_missing', 'user'],
    );
    const reading = await askOperations(program, '/v1/lock-outs?user=user', {
      method: 'DELETE',
      basic: 'admin:read_extended:admin',
    });
    assert.deepEqual([reading.status, reading.json.error.code], [403, 'privilege_not_held']);
  });

  it('by 100,000 made-up names are cut, and keep no other caller waiting', async () => {
    const { counters } = program.foundation.coordination;
    for (let index = 0; index < 100_000; index += 1) {
      void counters.increment(`login-failures:password:user-${index}`, 600_000, { by: index === 77_777 ? 9 : 1 });
    }
    await counters.increment('login-failures:password:10.0.0.1 late', 600_000, { by: 3 });
    let turns = 0;
    let isAnswered = false;
    const takeTurns = () => {
      turns += 1;
      if (!isAnswered) setImmediate(takeTurns);
    };
    setImmediate(takeTurns);
    const { json } = await askOperations(program, '/v1/lock-outs', { basic: ADMINISTRATOR });
    isAnswered = true;
    assert.equal(json.lock_outs.length, 500);
    assert.equal(json.total, 100_001);
    assert.deepEqual(
      json.lock_outs.slice(0, 2).map((one: { user: string; locked: boolean }) => [one.user, one.locked]),
      [
        ['late', true],
        ['user-77777', false],
      ],
    );
    assert.ok(turns > 50, `others had ${turns} turns`);
    await counters.remove('login-failures:password:10.0.0.1 late');
  });
});
