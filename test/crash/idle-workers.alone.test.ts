import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScriptedWorker } from '../../src/testing/analysis/scripted-worker.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';

const SERVICES = 10;
const WORKERS_OF_EACH = 20;
/** Seconds of a poll. */
const WAIT = 60;
/** Milliseconds of a measurement, and how many are made: a collection of garbage falls into one. */
const MEASURED = 2000;
const MEASUREMENTS = 3;
/** Parts of one core that idle workers may take beyond the idle program. */
const MAX_SHARE = 0.02;
/** Milliseconds that a program is busy after its start. */
const SETTLING = 8000;
/** Bytes of resident memory for 200 connections that wait. */
const MAX_GROWTH = 40 * 1024 * 1024;
/** Milliseconds of a tick of the clock in /proc. */
const TICK = 10;
const PAGE = 4096;
const HEADERS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin', 'content-type': 'application/json' };

describe('200 workers that wait for tasks', { skip: process.platform !== 'linux' && 'needs /proc' }, () => {
  it('cost next to nothing, and one of them gets a task', async (test) => {
    const environment = { SVC_ANALYSIS_ANALYZERS_ENABLED: 'none' };
    const program = await spawnProgram({ flags: ['--demo=users'], environment });
    try {
      const url = program.addresses.services ?? '';
      const names = Array.from({ length: SERVICES }, (_, index) => `Idle${index}`);
      for (const name of names) await new ScriptedWorker(url, name).register();
      await sleep(SETTLING);
      const pid = program.child.pid ?? 0;
      const before = await memoryOf(pid);
      const leaving = new AbortController();
      const given: string[] = [];
      const polls = names.flatMap((name) =>
        Array.from({ length: WORKERS_OF_EACH }, async (_, index) => {
          const worker = new ScriptedWorker(url, name, `${name}-${index}`);
          const task = await worker.poll(WAIT, leaving.signal).catch(() => undefined);
          if (task !== undefined) given.push(task.service_name);
        }),
      );
      await sleep(2000);
      const waiting = await shareOf(pid);
      const growth = (await memoryOf(pid)) - before;

      const params = { ttl: 1, services: { selected: ['Idle3'] } };
      const body = JSON.stringify({ plaintext: 'one', name: 'a.txt', params });
      const answer = await fetch(`${program.addresses.analysis}/api/v4/submit/`, {
        method: 'POST',
        headers: HEADERS,
        body,
      });
      assert.equal(answer.status, 200);
      await sleep(1500);
      assert.deepEqual(given, ['Idle3']);
      leaving.abort();
      await Promise.all(polls);

      const share = waiting - (await shareOf(pid));
      test.diagnostic(`${(share * 100).toFixed(2)} % of a core, ${(growth / 1024 / 1024).toFixed(1)} MB`);
      assert.ok(share < MAX_SHARE, `${share} of a core`);
      assert.ok(growth < MAX_GROWTH, `${growth} bytes`);
    } finally {
      await program.kill();
    }
  });
});

/** Measures the processor time of a process as a part of one core: the median of some measurements. */
async function shareOf(pid: number): Promise<number> {
  const shares: number[] = [];
  while (shares.length < MEASUREMENTS) {
    const before = await ticksOf(pid);
    const started = performance.now();
    await sleep(MEASURED);
    shares.push(((await ticksOf(pid)) - before) * (TICK / (performance.now() - started)));
  }
  return shares.sort((left, right) => left - right)[(MEASUREMENTS - 1) / 2] ?? 0;
}

/** Returns bytes of resident memory. */
async function memoryOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]) * PAGE;
}

async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
