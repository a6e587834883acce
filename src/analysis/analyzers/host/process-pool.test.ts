import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { ProcessPool } from './process-pool.ts';

let folder: string;
let pool: ProcessPool | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-pool-test-'));
});
afterEach(async () => {
  await pool?.stop();
  await rm(folder, { recursive: true, force: true });
});

const pidOf = (given: ProcessPool) => given.withProcess(async ({ pid }) => pid);

describe('ProcessPool', () => {
  it('lends a warm process again, with an empty folder', async () => {
    pool = new ProcessPool({ folder });
    const first = await pool.withProcess(async (process) => {
      await writeFile(process.contentPath, 'x');
      await writeFile(join(process.outputFolder, 'left'), 'x');
      return process.pid;
    });
    await pool.withProcess(async (process) => {
      assert.equal(process.pid, first);
      assert.deepEqual(await readdir(join(process.outputFolder, '..')), ['output']);
      assert.deepEqual(await readdir(process.outputFolder), []);
    });
    assert.equal(pool.size, 1);
  });

  it('starts another process while one is lent', async () => {
    const lending = new ProcessPool({ folder });
    pool = lending;
    await lending.withProcess(async (one) => {
      await lending.withProcess(async (other) => assert.notEqual(one.pid, other.pid));
    });
    assert.equal(lending.size, 2);
  });

  it('replaces a process that is gone, had many tasks, or grew', async () => {
    for (const options of [{ maxTasks: 1 }, { maxIdleMemory: 1 }]) {
      pool = new ProcessPool({ folder, ...options });
      const first = await pidOf(pool);
      assert.equal(pool.size, 0);
      assert.notEqual(await pidOf(pool), first);
    }
    pool = new ProcessPool({ folder });
    const first = await pidOf(pool);
    process.kill(first ?? 0, 'SIGKILL');
    await until('another process is lent', async () => (await pidOf(pool as ProcessPool)) !== first);
  });

  it('ends idle processes, and all of them when it stops', async () => {
    const ending = new ProcessPool({ folder, idleTime: 50 });
    pool = ending;
    await pidOf(ending);
    assert.equal(ending.size, 1);
    await until('the idle process ended', () => ending.size === 0);
    assert.deepEqual(await readdir(folder), []);
    const stopping = new ProcessPool({ folder });
    await pidOf(stopping);
    await stopping.stop();
    assert.equal(stopping.size, 0);
    assert.deepEqual(await readdir(folder), []);
  });
});
