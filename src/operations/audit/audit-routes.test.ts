import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { askOperations } from '../../testing/operations/ask-operations.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';

describe('security events', () => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-audit-'));
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram({
      auditBySettings: true,
      settings: { 'audit.to': 'file', 'audit.file': join(folder, 'audit.log') },
    });
  });
  after(async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const search = (query: string) => askOperations(program, `/v1/audit?${query}`);
  const kinds = async (query: string) => (await search(query)).json.events.map(({ event }: { event: string }) => event);

  it('are found while they are written', async () => {
    const begin = new Date().toISOString();
    await program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'huey', password: 'wrong' } });
    await program.request('/api/v1/auth/login', { method: 'POST', json: { user: 'huey', password: 'huey' } });
    await until('both are written', async () => (await kinds('user=huey')).length === 2);
    assert.deepEqual(await kinds('user=huey'), ['login_succeeded', 'login_failed']);
    assert.deepEqual(await kinds('user=huey&event=login_failed,logout'), ['login_failed']);
    assert.deepEqual(await kinds(`user=huey&to=${begin}`), []);
    assert.deepEqual(await kinds(`user=huey&from=${begin}&limit=1`), ['login_succeeded']);
    const { next, available } = (await search('user=huey&limit=1')).json;
    assert.equal(available, true);
    assert.deepEqual(await kinds(`user=huey&limit=1&cursor=${next}`), ['login_failed']);
  });

  it('refuse bad input in one sentence', async () => {
    for (const [query, at] of [
      ['from=yesterday', 'from'],
      ['to=2026-13-45T00:00:00Z', 'to'],
      ['from=2026-01-01T00:00', 'from'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=../../etc/passwd', 'cursor'],
    ]) {
      const { status, json } = await search(query ?? '');
      assert.deepEqual([status, json.error.at], [400, at], query);
    }
  });

  it('have kinds with their meanings', async () => {
    const { json } = await askOperations(program, '/v1/audit/kinds');
    assert.ok(json.kinds.some(({ event }: { event: string }) => event === 'locked_out'));
  });
});

it('security events that go elsewhere are not found, and the answer says what to do', async () => {
  const program = await startTestProgram();
  const { json } = await askOperations(program, '/v1/audit');
  assert.deepEqual([json.available, json.events], [false, []]);
  assert.match(json.hint, /standard output.*SVC_AUDIT_TO=file/);
  await program.close();
});
