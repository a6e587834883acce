import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';

const WRITES = 2000;
const KILLS = 3;
const WRITERS = 8;
/** Items of a queue that are worked on together: what a kill may interrupt. */
const BATCH = 100;
/** Milliseconds after which an item that was taken by a killed program is delivered again. */
const REDELIVERY = 10_000;
const AUTHORIZATION = `Basic ${Buffer.from('admin:devkey:admin').toString('base64')}`;

interface StoredHit {
  readonly howler: { readonly id: string; readonly log: readonly { readonly key?: string }[] };
}

async function send<T>(program: SpawnedProgram, method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${program.alerts}${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { api_response: T };
  assert.ok(response.ok, `${method} ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.api_response;
}

/** Returns the runs of the action for each alert: each promotes it, which its log keeps. */
async function runsByHit(program: SpawnedProgram): Promise<Map<string, number>> {
  const request = { query: 'event.provider:crash', rows: 5000, fl: 'howler.id,howler.log' };
  const { items } = await send<{ items: StoredHit[] }>(program, 'POST', '/api/v1/search/hit', request);
  return new Map(
    items.map(({ howler }) => [howler.id, howler.log.filter(({ key }) => key === 'howler.escalation').length]),
  );
}

/** Creates alerts one by one until `enough` were answered or the program is gone; their identifiers. */
async function write(program: SpawnedProgram, answered: Set<string>, enough: number): Promise<void> {
  const alert = { 'howler.analytic': 'Crash', 'event.provider': 'crash' };
  while (answered.size < enough) {
    const created = await send<{ valid: StoredHit[] }>(program, 'POST', '/api/v1/hit', [alert]);
    for (const { howler } of created.valid) answered.add(howler.id);
  }
}

describe('triggers of a killed program', () => {
  it('all run, and none again after its report', async (test) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'triad-triggers-'));
    const answered = new Set<string>();
    let program = await spawnProgram({ dataFolder, flags: ['--demo=users'] });
    try {
      await send(program, 'POST', '/api/v1/action?refresh=wait_for', {
        name: 'Promote',
        query: 'event.provider:crash',
        triggers: ['create'],
        operations: [{ operation_id: 'transition', data_json: '{"status":"open","transition":"promote"}' }],
      });
      const missing = async () => {
        const runs = await runsByHit(program);
        return [...answered].filter((id) => !runs.get(id));
      };
      await write(program, answered, BATCH);
      await until('the first triggers ran', async () => (await missing()).length === 0);
      // The reports are written and the items acknowledged after the effect.
      await sleep(1000);
      const reported = [...answered];
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const enough = (kill * WRITES) / (KILLS + 1);
        const writing = Promise.allSettled(Array.from({ length: WRITERS }, () => write(program, answered, WRITES)));
        await until('enough alerts were answered', () => answered.size >= enough);
        await program.kill();
        await writing;
        program = await spawnProgram({ dataFolder });
      }
      await Promise.all(Array.from({ length: WRITERS }, () => write(program, answered, WRITES)));
      await until('every trigger ran', async () => (await missing()).length === 0);
      await sleep(REDELIVERY);
      const runs = await runsByHit(program);
      assert.deepEqual(
        reported.filter((id) => runs.get(id) !== 1),
        [],
        'run again after their report',
      );
      const repeated = [...runs.values()].filter((count) => count > 1).length;
      assert.ok(repeated <= KILLS * BATCH, `${repeated} triggers ran again`);
      test.diagnostic(`${answered.size} answered writes, ${repeated} triggers were interrupted and repeated`);
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});
