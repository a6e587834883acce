import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { until } from '../src/testing/until.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'start.mjs');
const folder = mkdtempSync(join(tmpdir(), 'triad-audit-'));
const file = join(folder, 'audit', 'audit.log');
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the audit log of the program', () => {
  it('is a file where the settings say so, which has everything although the process is killed', async (context) => {
    const environment = { SVC_CONF_FOLDER: folder, SVC_AUDIT_TO: 'file' };
    const program = await spawnProgram({ dataFolder: folder, environment, flags: ['--demo=users'] });
    context.after(() => program.kill());
    for (const password of ['wrong', 'admin']) {
      const body = JSON.stringify({ user: 'admin', password });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${program.alerts}/api/v1/auth/login`, { method: 'POST', body, headers });
    }
    await until('the file has both', () => lines().at(-1)?.event === 'login_succeeded');
    await program.kill();
    assert.deepEqual(
      lines()
        .slice(-2)
        .map(({ event, service, user, code }) => ({ event, service, user, code })),
      [
        { event: 'login_failed', service: 'alerts', user: 'admin', code: 'invalid_login' },
        { event: 'login_succeeded', service: 'alerts', user: 'admin', code: undefined },
      ],
    );
    assert.ok(!program.log.some((line) => line.includes('"log":"audit"')), 'nothing of it is in the log');
  });

  it('has what commands do', async () => {
    const run = await command({ SVC_AUDIT_TO: 'file' }, 'user', 'create', 'anna', '--random');
    assert.match(run.stdout, /^anna was made\. Its password, shown once: \S+\n$/);
    const { time, ...last } = lines().at(-1) ?? {};
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(last, { log: 'audit', event: 'user_created', user: 'anna', after: ['user'] });
  });

  it('does not mix with what commands print', async () => {
    const run = await command({}, 'user', 'disable', 'anna');
    assert.equal(run.stdout, 'anna is disabled.\n');
    assert.equal(JSON.parse(run.stderr).event, 'user_disabled');
  });

  it('keeps the program from starting when it cannot be written, which would serve without it', async () => {
    rmSync(file);
    mkdirSync(file);
    const start = command({ SVC_AUDIT_TO: 'file', SVC_ALERTS_PORT: '0' }, 'serve');
    await assert.rejects(start, (error: Error & { code?: number; stderr?: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr ?? '', /Security events cannot be written to .*audit\.log .*SVC_AUDIT_FILE/);
      return true;
    });
  });
});

function lines(): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function command(environment: Record<string, string>, ...words: string[]) {
  const env = { ...process.env, SVC_CONF_FOLDER: folder, SVC_DATA_FOLDER: folder, ...environment };
  return promisify(execFile)(process.execPath, [MAIN, ...words], { env: { ...env, NODE_TEST_CONTEXT: undefined } });
}
