import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { loadConfig } from '../../config/config.ts';
import type { AuditEvent } from './audit-log.ts';
import { openAuditLog } from './open-audit-log.ts';

const EVENT: AuditEvent = { event: 'login_failed', service: 'alerts', user: 'ada', code: 'invalid_login' };
/** An event of a kind that is written each time. */
const LOGOUT: AuditEvent = { event: 'logout', service: 'alerts', user: 'ada' };
const TIME = Date.parse('2026-01-02T03:04:05.678Z');

describe('the audit log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = () => join(folder, 'audit', 'audit.log');
  const linesOf = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const open = async (flags: Record<string, unknown> = {}) => {
    const told: object[] = [];
    const clock = { now: TIME };
    const settings = loadConfig({
      environment: { SVC_CONF_FOLDER: folder },
      flags: { 'audit.to': 'file', data_folder: folder, ...flags },
    });
    const audit = await openAuditLog(settings, {
      log: { error: (entry) => void told.push(entry) },
      now: () => clock.now,
    });
    return { audit, told, clock };
  };

  it('writes an event as one JSON object a line, readable by its owner alone', async () => {
    const { audit } = await open();
    audit.write(EVENT);
    audit.write({ event: 'logout', service: 'analysis', user: 'grace', by: 'grace', address: '192.0.2.1' });
    await audit.close();
    assert.equal(
      readFileSync(file(), 'utf8'),
      '{"log":"audit","time":"2026-01-02T03:04:05.678Z","event":"login_failed","service":"alerts","user":"ada","code":"invalid_login"}\n' +
        '{"log":"audit","time":"2026-01-02T03:04:05.678Z","event":"logout","service":"analysis","user":"grace","address":"192.0.2.1"}\n',
    );
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });

  it('keeps one line for an event regardless of what a caller puts into it', async () => {
    const { audit } = await open();
    const user = `a\n{"event":"login_succeeded"}\r\u2028\ud800${'x'.repeat(5000)}`;
    audit.write({ ...EVENT, user, userAgent: 'y'.repeat(70_000) });
    await audit.close();
    const [line, ...more] = linesOf(file());
    assert.deepEqual(more, []);
    assert.equal(line?.event, 'login_failed');
    assert.equal(String(line?.user).length, 257);
    assert.ok(readFileSync(file()).length < 2000);
  });

  it('continues behind what earlier runs wrote', async () => {
    for (const user of ['ada', 'grace']) {
      const { audit } = await open();
      audit.write({ ...EVENT, user });
      await audit.close();
    }
    assert.deepEqual(
      linesOf(file()).map(({ user }) => user),
      ['ada', 'grace'],
    );
  });

  it('begins a line of its own after one that a full disk or a crash has cut off', async () => {
    mkdirSync(join(folder, 'audit'));
    writeFileSync(file(), '{"log":"audit","event":"lo');
    const { audit } = await open();
    audit.write(EVENT);
    audit.write(LOGOUT);
    await audit.close();
    const [cut, ...whole] = readFileSync(file(), 'utf8').trimEnd().split('\n');
    assert.equal(cut, '{"log":"audit","event":"lo');
    assert.deepEqual(
      whole.map((line) => (JSON.parse(line) as { event: string }).event),
      ['login_failed', 'logout'],
    );
  });

  it('puts the file aside when it is large, loses nothing, and keeps only so many', async () => {
    const { audit } = await open({ 'audit.max_megabytes': 1, 'audit.max_files': 2 });
    const names: string[] = [];
    for (let number = 0; names.length < 4; number++) {
      for (let one = 0; one < 5000; one++) audit.write({ ...LOGOUT, user: `${number}`, call: 'c'.repeat(200) });
      await new Promise((resume) => setImmediate(() => setImmediate(resume)));
      names.push(`${number}`);
    }
    await audit.close();
    const kept = readdirSync(join(folder, 'audit')).filter((name) => name !== 'audit.log.txt');
    assert.equal(kept.length, 3, `${kept}`);
    for (const name of kept) linesOf(join(folder, 'audit', name));
  });

  it('does not start when the file cannot be opened, and says what to do', async () => {
    mkdirSync(file(), { recursive: true });
    await assert.rejects(open(), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'audit_log_unusable');
      assert.match(error.message, /audit\.log.*SVC_AUDIT_FILE/);
      return true;
    });
  });

  it('tells the log what it cannot write, and continues by itself when it can again', async () => {
    const { audit, told, clock } = await open({ 'audit.max_megabytes': 1 });
    const written = async (event: AuditEvent, times = 1) => {
      for (let one = 0; one < times; one++) audit.write(event);
      await sleep(100);
    };
    // Where the folder was is a file: nothing can be put aside, and no new file begun.
    rmSync(join(folder, 'audit'), { recursive: true });
    writeFileSync(join(folder, 'audit'), '');
    await written({ ...LOGOUT, call: 'c'.repeat(200) }, 6000);
    await written({ ...LOGOUT, user: 'during' });
    const users = told.flatMap((entry) => ('audit' in entry ? [(entry.audit as AuditEvent).user] : []));
    assert.ok(users.includes('during'), 'the log has it');
    rmSync(join(folder, 'audit'));
    clock.now += 5000;
    await written({ ...LOGOUT, user: 'after' });
    await audit.close();
    assert.deepEqual(
      linesOf(file()).map(({ user }) => user),
      ['after'],
    );
  });

  it('sums up what is refused again and again, at the latest when it is closed', async () => {
    const { audit } = await open();
    for (let one = 0; one < 1000; one++) audit.write({ ...EVENT, requestId: `${one}` });
    audit.write(LOGOUT);
    await audit.close();
    assert.deepEqual(
      linesOf(file()).map(({ event, requestId, more }) => [event, requestId, more]),
      [
        ['login_failed', '0', undefined],
        ['logout', undefined, undefined],
        ['login_failed', undefined, 999],
      ],
    );
  });

  it('writes what waits when the process ends', async () => {
    const script = `
      const { openAuditLog } = await import(${JSON.stringify(join(import.meta.dirname, 'open-audit-log.ts'))});
      const audit = { to: process.argv[2], file: null, max_megabytes: 1, daily: false, max_files: 1 };
      const log = await openAuditLog({ audit, data_folder: process.argv[1] }, { log: console });
      for (const user of ['first', 'last', 'last']) log.write({ event: 'login_failed', service: 'alerts', user });
      process.exit(0);`;
    const run = promisify(execFile);
    const args = (to: string) => ['--input-type=module', '-e', script, folder, to];
    await run(process.execPath, args('file'));
    assert.deepEqual(
      linesOf(file()).map(({ user, more }) => [user, more]),
      [
        ['first', undefined],
        ['last', undefined],
        ['last', 1],
      ],
    );
    for (const stream of ['stdout', 'stderr'] as const) {
      const output = await run(process.execPath, args(stream));
      assert.match(output[stream], /^(\{"log":"audit",.*\}\n){2}\{"log":"audit",.*"user":"last","more":1\}\n$/);
      assert.equal(output[stream === 'stdout' ? 'stderr' : 'stdout'], '');
    }
  });
});
