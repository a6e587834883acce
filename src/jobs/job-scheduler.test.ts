import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import { SILENT } from '../datastore/port/datastore-logger.ts';
import { Unavailable } from '../errors/errors.ts';
import { until } from '../testing/until.ts';
import type { Job, JobRun, JobStep } from './job.ts';
import { JobRecords } from './job-records.ts';
import { JobScheduler, type JobSchedulerDependencies } from './job-scheduler.ts';

interface Line {
  readonly level: 'info' | 'error';
  readonly message: string;
  readonly outcome?: string;
  readonly changed?: number;
  readonly steps?: readonly JobStep[];
}

const SCHEDULE = { name: 'probe', summary: 'A job.', enabled: true, crontab: '* * * * *', timeZone: 'UTC' };
const DONE: JobStep = { name: 'part', outcome: 'done', changed: 3 };
const RUN: JobRun = { signal: new AbortController().signal, dryRun: false, progress: () => undefined };

let coordination: Coordination;
let schedulers: JobScheduler[];
let lines: Line[];
let counted: string[];
/** The clock is just before a full minute, at which the job runs. */
let now: () => number;

beforeEach(async () => {
  coordination = await openEmbeddedCoordination({ folder: 'memory' });
  schedulers = [];
  lines = [];
  counted = [];
  const ahead = 60_000 - (Date.now() % 60_000) - 500;
  now = () => Date.now() + ahead;
});
afterEach(async () => {
  await Promise.all(schedulers.map((one) => one.stop()));
  await coordination.close();
});

const counter = (name: string) => ({
  inc: (labels: object, value = 1) => {
    counted.push(`${name} ${Object.values(labels).join(' ')}${name === 'changed' ? ` ${value}` : ''}`);
  },
});

function open(run: Job['run'], changes: Partial<JobSchedulerDependencies> = {}): JobScheduler {
  const write = (level: Line['level']) => (entry: object, message: string) => {
    if (message !== 'jobs are scheduled') lines.push({ ...entry, level, message });
  };
  const scheduler = new JobScheduler({
    jobs: [{ name: 'probe', run }],
    schedules: [SCHEDULE],
    coordination,
    records: new JobRecords(coordination, SILENT),
    counters: { runs: counter('runs'), changed: counter('changed'), seconds: counter('seconds') },
    log: { ...SILENT, info: write('info'), error: write('error') },
    now,
    ...changes,
  });
  schedulers.push(scheduler);
  return scheduler;
}

describe('the scheduler', () => {
  it('runs a job at its time in one of two processes, with one line in the log and its counts', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      await sleep(50);
      return [DONE, DONE];
    };
    open(run).start();
    open(run).start();
    await until('a run was logged', () => lines.length > 0);
    await sleep(200);
    assert.equal(runs, 1);
    assert.deepEqual(
      lines.map(({ level, message, outcome, changed, steps }) => [level, message, outcome, changed, steps?.length]),
      [['info', 'the job probe ended: done', 'done', 6, 2]],
    );
    assert.deepEqual(counted, ['runs probe done', 'changed probe 6', 'seconds probe']);
  });

  it('takes a job over from a process that was killed, when its lock ends', async () => {
    await coordination.locks.acquire('job:probe', 3000);
    let runs = 0;
    const run = async () => {
      runs += 1;
      return [DONE];
    };
    open(run).start();
    await sleep(1200);
    assert.equal(runs, 0, 'it did not wait for the process that runs the job');
    await until('the job was taken over', () => runs === 1, 5000);
  });

  it('hands a job that was interrupted by a stop to another process', async () => {
    let runs = 0;
    const run = async ({ signal }: JobRun) => {
      runs += 1;
      if (runs === 1) await sleep(60_000, undefined, { signal });
      return [DONE];
    };
    open(run).start();
    await until('it runs', () => runs === 1);
    open(run, { now: () => now() - 1000 }).start();
    await sleep(1200);
    await schedulers[0]?.stop();
    await until('the other process ran it', () => runs === 2, 5000);
    await until('both runs were logged', () => lines.length === 2);
    assert.deepEqual(
      lines.map(({ outcome }) => outcome),
      ['interrupted', 'done'],
    );
  });

  it('logs and counts runs that fail, in whole or in part, and remembers that they ran', async () => {
    const failures: (() => Promise<readonly JobStep[]>)[] = [
      () => Promise.reject(new Error('The disk is full.')),
      async () => [DONE, { name: 'other', outcome: 'failed', changed: 0, detail: 'broken' }],
    ];
    for (const run of failures) {
      lines = [];
      await coordination.tokens.remove('job:probe');
      open(run).start();
      open(run).start();
      await until('a run was logged', () => lines.length > 0);
      await sleep(200);
      assert.deepEqual(
        lines.map(({ level, outcome }) => [level, outcome]),
        [['error', 'failed']],
      );
      await Promise.all(schedulers.splice(0).map((one) => one.stop()));
      const ahead = 60_000 - (Date.now() % 60_000) - 500 + 60_000 * failures.length;
      now = () => Date.now() + ahead;
    }
    assert.equal(counted.filter((one) => one === 'runs probe failed').length, 2);
  });

  it('reports once that coordination is unavailable, and runs when it is back', async () => {
    let attempts = 0;
    const locks: Coordination['locks'] = {
      acquire: (...args) => {
        attempts += 1;
        if (attempts > 3) return coordination.locks.acquire(...args);
        return Promise.reject(new Unavailable('coordination_unavailable', 'Redis does not respond.'));
      },
    };
    open(async () => [DONE], { coordination: { tokens: coordination.tokens, locks }, times: { retry: 50 } }).start();
    await until('it ran', () => lines.length > 1);
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['the job probe could not run', 'the job probe ended: done'],
    );
    assert.deepEqual(counted.slice(0, 2), ['runs probe failed', 'runs probe done']);
  });

  it('continues a run whose lock was lost, also alone', async () => {
    let runs = 0;
    const run = async ({ signal }: JobRun) => {
      runs += 1;
      if (runs > 1) return [DONE];
      await sleep(60_000, undefined, { signal });
      return [];
    };
    let renewals = 0;
    const locks: Coordination['locks'] = {
      acquire: async (...args) => {
        const lock = await coordination.locks.acquire(...args);
        return lock && { ...lock, renew: async (lease) => (renewals++ > 0 ? lock.renew(lease) : false) };
      },
    };
    open(run, { coordination: { tokens: coordination.tokens, locks } }).start();
    await until('it ran again', () => lines.length === 2, 10_000);
    assert.deepEqual(
      lines.map(({ outcome }) => outcome),
      ['interrupted', 'done'],
    );
  });

  it('runs a job at its time after the clock was set back', async () => {
    let runs = 0;
    const YEAR = 365 * 86_400_000;
    let shift = YEAR;
    const presently = now;
    const run = async () => {
      runs += 1;
      return [DONE];
    };
    open(run, { now: () => presently() + shift + (shift > 0 ? 5000 : 0), times: { look: 50 } }).start();
    shift = 0;
    await until('it ran', () => runs === 1, 5000);
  });

  it('abandons a run that hangs, and one that does not stop', async () => {
    const hangs = () => new Promise<readonly JobStep[]>(() => undefined);
    const times = { run: 100, grace: 50 };
    await assert.rejects(open(hangs, { times }).runNow('probe', RUN), { code: 'job_hangs' });
    assert.deepEqual(
      lines.map(({ level, outcome }) => [level, outcome]),
      [['error', 'failed']],
    );
    let isRunning = false;
    const hung = open(
      () => {
        isRunning = true;
        return hangs();
      },
      { times: { grace: 50 } },
    );
    hung.start();
    await until('it runs', () => isRunning);
    const stopping = performance.now();
    await hung.stop();
    assert.ok(performance.now() - stopping < 5000);
    assert.equal(lines.at(-1)?.outcome, 'failed');
  });

  it('leaves jobs alone that are off', async () => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      return [DONE];
    };
    open(run, { schedules: [{ ...SCHEDULE, enabled: false }] }).start();
    await sleep(900);
    assert.equal(runs, 0);
  });

  it('interrupts a run whose lock was lost', async () => {
    const locks = {
      ...coordination.locks,
      acquire: async () => ({ renew: async () => false, release: async () => undefined }),
    };
    const scheduler = open(({ signal }) => sleep(60_000, [DONE], { signal }), {
      coordination: { tokens: coordination.tokens, locks },
    });
    await assert.rejects(scheduler.runNow('probe', RUN), { name: 'AbortError' });
    assert.deepEqual(
      lines.map(({ outcome }) => outcome),
      ['interrupted'],
    );
  });
});

describe('a run by hand', () => {
  it('returns the steps, and is refused while another process runs the job, but for a dry run', async () => {
    const scheduler = open(async ({ dryRun }) => [{ ...DONE, detail: String(dryRun) }]);
    assert.equal((await scheduler.runNow('probe', RUN))[0]?.detail, 'false');
    const lock = await coordination.locks.acquire('job:probe', 60_000);
    await assert.rejects(scheduler.runNow('probe', RUN), { code: 'job_running' });
    counted = [];
    assert.equal((await scheduler.runNow('probe', { ...RUN, dryRun: true }))[0]?.detail, 'true');
    assert.deepEqual(counted, [], 'a dry run is no run');
    await lock?.release();
    await scheduler.runNow('probe', RUN);
  });

  it('throws what the job throws, and names the jobs that there are', async () => {
    const scheduler = open(() => Promise.reject(new Error('The disk is full.')));
    await assert.rejects(scheduler.runNow('probe', RUN), /The disk is full/);
    await assert.rejects(scheduler.runNow('prob', RUN), { code: 'job_unknown', message: /"prob"\. There are probe\./ });
  });
});
