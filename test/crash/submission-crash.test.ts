import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 3);
const SUBMISSIONS = KILLS >= 30 ? 500 : 120;
const WRITERS = 6;
/** Milliseconds for what was under way at the last kill; tasks may have to reach their deadline. */
const LONGEST_END = 150_000;
const HEADERS = { 'x-user': 'admin', 'x-apikey': 'devkey:admin', 'content-type': 'application/json' };
const ENVIRONMENT = { SVC_UI_ENFORCE_QUOTA: 'false' };

interface Submission {
  readonly sid: string;
  readonly state: string;
  readonly results: readonly string[];
  readonly errors: readonly string[];
}

async function send<T>(program: SpawnedProgram, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${program.addresses.analysis}${path}`, {
    method,
    headers: HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { api_response: T };
  assert.ok(response.ok, `${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.api_response;
}

/** Submits different files until `enough` were answered or the program is gone. */
async function write(program: SpawnedProgram, answered: Set<string>, enough: number): Promise<void> {
  while (answered.size < enough) {
    const plaintext = `crash ${Math.random()} `.repeat(40);
    const params = { ttl: 1, services: { selected: [], excluded: [] } };
    const submission = { plaintext, name: 'crash.txt', params };
    answered.add((await send<Submission>(program, 'POST', '/api/v4/submit/', submission)).sid);
  }
}

describe('submissions of a killed program', () => {
  it('all complete, and no analyzer result is listed twice', async (test) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'triad-submissions-'));
    const answered = new Set<string>();
    const start = (flags: readonly string[] = []) => spawnProgram({ dataFolder, flags, environment: ENVIRONMENT });
    let program = await start(['--demo=users']);
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const enough = Math.floor((kill * SUBMISSIONS) / (KILLS + 1));
        const writing = Promise.allSettled(
          Array.from({ length: WRITERS }, () => write(program, answered, SUBMISSIONS)),
        );
        await until('enough submissions were answered', () => answered.size >= enough);
        await program.kill();
        await writing;
        program = await start();
      }
      await Promise.all(Array.from({ length: WRITERS }, () => write(program, answered, SUBMISSIONS)));
      const open = new Set(answered);
      const documents = new Map<string, Submission>();
      await until(
        'every answered submission is completed',
        async () => {
          for (const sid of open) {
            const submission = await send<Submission>(program, 'GET', `/api/v4/submission/${sid}/`);
            if (submission.state !== 'completed') continue;
            documents.set(sid, submission);
            open.delete(sid);
          }
          return open.size === 0;
        },
        LONGEST_END,
      );
      let failed = 0;
      for (const { sid, results, errors } of documents.values()) {
        const services = results.map((key) => key.split('.').slice(0, 2).join('.'));
        assert.equal(new Set(services).size, services.length, `${sid} lists an analyzer twice: ${results}`);
        assert.ok(results.length + errors.length > 0, `${sid} has neither results nor errors`);
        failed += errors.length;
      }
      assert.equal(failed, 0, 'analyzers failed');
      test.diagnostic(`${answered.size} answered submissions, ${KILLS} kills`);
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});
