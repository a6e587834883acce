import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { slowness } from '../../src/testing/machine-speed.ts';
import { type SpawnedProgram, type SpawnOptions, spawnProgram } from '../../src/testing/spawn-program.ts';
import { sendRequest, type TestAnswer, type TestRequest } from '../../src/testing/start-test-program.ts';

/** Milliseconds that an attack may add to the wait of other callers (DESIGN.md, security rules). */
const MAX_ADDED_WAIT = 250;
const QUIET_TIME = 1500;

/** Measurements of the probe since the last reading. */
interface ProbeReading {
  /** Milliseconds of the slowest answer. */
  readonly longest: number;
  /** Answers other than 200. */
  readonly failures: readonly string[];
}

export interface AttackedProgram {
  readonly process: SpawnedProgram;
  /** Sends a request to the alert service, or to the service that it names. */
  request(path: string, request?: TestRequest): Promise<TestAnswer>;
  /**
   * Runs an attack while another caller asks `/healthz/`, `whoami` and a small search without pause.
   * @throws AssertionError when one of their answers failed, or took over 250 ms longer than in a quiet run just before; on a slower
   *   machine, as much longer as it is slower
   */
  attackBesideOthers<T>(attack: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Starts the real program in its own process, with the demo users and a probe.
 * Files that use it are named `*.alone.test.ts`, because
 * other test files would make the probe wait.
 */
export async function startAttackedProgram(options: SpawnOptions = {}): Promise<AttackedProgram> {
  const process = await spawnProgram({ flags: ['--demo=users'], ...options });
  const workerData = { url: process.alerts, analysis: process.addresses.analysis };
  const probe = new Worker(join(import.meta.dirname, 'probe-worker.ts'), { workerData });
  const read = () =>
    new Promise<ProbeReading>((resolve) => {
      probe.once('message', resolve);
      probe.postMessage('read');
    });
  return {
    process,
    request: (path, request) => {
      const url = process.addresses[request?.service ?? 'alerts'];
      assert.ok(url !== undefined);
      return sendRequest(`${url}${path}`, request);
    },
    async attackBesideOthers(attack) {
      const limit = MAX_ADDED_WAIT * slowness();
      await read();
      await new Promise((resolve) => setTimeout(resolve, QUIET_TIME));
      const quiet = await read();
      const result = await attack();
      const { longest, failures } = await read();
      assert.deepEqual(failures, []);
      const added = Math.round(longest - quiet.longest);
      assert.ok(added <= limit, `another caller waited ${added} ms longer, ${Math.round(longest)} ms in all`);
      return result;
    },
    async stop() {
      await probe.terminate();
      await process.stop();
    },
  };
}
