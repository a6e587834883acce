import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { runCommandLine } from './run-command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-jobs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const OLD = { howler: { analytic: 'Old' }, event: { created: '2020-01-02T03:04:05Z' } };
const NEW = { howler: { analytic: 'New' }, event: { created: new Date().toISOString() } };

describe('triad jobs', () => {
  before(async () => {
    assert.equal((await triad(['user', 'create', 'admin', '--type', 'admin,user', '--random'])).status, 0);
    const { status, told } = await triad(['import', '-'], {}, `${JSON.stringify(OLD)}\n${JSON.stringify(NEW)}\n`);
    assert.equal(status, 0, told);
  });

  it('lists the jobs with their next times, without the datastore', async () => {
    const variables = { SVC_DATA_FOLDER: '/proc/nowhere', SVC_SYSTEM_VIEW_CLEANUP_ENABLED: 'false' };
    const { status, printed } = await triad(['jobs', 'list'], variables);
    assert.equal(status, 0);
    assert.match(printed, /^JOB +CRONTAB +TIME ZONE +NEXT RUN/);
    assert.match(printed, /^retention +0 0 \* \* \* +UTC +\d{4}-\d\d-\d\dT00:00:00\.000Z +Delete/m);
    assert.match(printed, /^view_cleanup +0 0 \* \* \* +UTC +off/m);
    assert.match(printed, /^lifecycle +.* off/m);
  });

  it('runs a job, after a dry run that changes nothing', async () => {
    const dry = await triad(['jobs', 'run', 'retention', '--dry-run']);
    assert.equal(dry.status, 0, dry.told);
    assert.match(dry.printed, /^STEP +OUTCOME +WOULD CHANGE\nage +done +1 +event\.created before/);
    const { status, printed } = await triad(['jobs', 'run', 'retention']);
    assert.equal(status, 0);
    assert.match(printed, /^STEP +OUTCOME +CHANGED\nage +done +1 +/);
    assert.match(printed, /^analytics +done +1$/m);
    assert.match((await triad(['jobs', 'run', 'retention'])).printed, /^age +done +0 /m);
  });

  it('counts what expired in the analysis service', async () => {
    const { status, printed, told } = await triad(['expire', '--dry-run']);
    assert.equal(status, 0, told);
    assert.match(printed, /^STEP +OUTCOME +WOULD CHANGE\ndeleted submissions +done +0$/m);
    assert.match(printed, /^submission +done +0 +expiry_ts up to \d{4}/m);
    assert.equal((await triad(['expire'])).status, 0);
    assert.equal((await triad(['jobs', 'run', 'file_cleanup'])).status, 0);
    assert.equal((await triad(['expire', 'everything'])).status, 2);
  });

  it('ends with status 1 when a step failed, and with 2 for a job that there is not', async () => {
    const rules = JSON.stringify([{ name: 'broken', query: 'a:(', limit_amount: 1 }]);
    const { status, printed } = await triad(['jobs', 'run', 'retention'], { SVC_SYSTEM_RETENTION_RULES: rules });
    assert.equal(status, 1);
    assert.match(printed, /^rule broken +failed +0 +.*Query: a:\($/m);
    const unknown = await triad(['jobs', 'run', 'cleaning']);
    assert.equal(unknown.status, 2);
    assert.match(
      unknown.told,
      /There is no job "cleaning"\. Allowed: retention, view_cleanup, expiry, file_cleanup, lifecycle\./,
    );
    assert.equal((await triad(['jobs', 'run'])).status, 2);
  });
});

async function triad(words: readonly string[], variables: Record<string, string> = {}, sent = '') {
  const printed: string[] = [];
  const told: string[] = [];
  const status = await runCommandLine(
    {
      environment: { SVC_CONF_FOLDER: import.meta.dirname, SVC_DATA_FOLDER: join(folder, 'data'), ...variables },
      version: '1.2.3',
      print: (line) => printed.push(line),
      printError: (line) => told.push(line),
      input: Readable.from([sent]),
      interactive: false,
      errorStream: { isTTY: false } as NodeJS.WriteStream,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: new AbortController().signal,
    },
    words,
  );
  return { status, printed: printed.join('\n'), told: told.join('\n') };
}
