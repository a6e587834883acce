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

async function send<T>(program: SpawnedProgram, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${program.alerts}${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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

/** Returns the alerts in the case, and those that refer to it. */
async function filedIn(program: SpawnedProgram, caseId: string): Promise<{ filed: string[]; referring: Set<string> }> {
  const { items } = await send<{ items: { value: string }[] }>(program, 'GET', `/api/v2/case/${caseId}`);
  const request = { query: `howler.related:"${caseId}"`, rows: 5000, fl: 'howler.id' };
  const found = await send<{ items: StoredHit[] }>(program, 'POST', '/api/v1/search/hit', request);
  return {
    filed: items.map(({ value }) => value).filter((value) => value !== undefined),
    referring: new Set(found.items.map(({ howler }) => howler.id)),
  };
}

/** Creates alerts one by one until `enough` were answered or the program is gone; their identifiers. */
async function write(program: SpawnedProgram, answered: Set<string>, enough: number): Promise<void> {
  const alert = { 'howler.analytic': 'Crash', 'event.provider': 'crash' };
  while (answered.size < enough) {
    const created = await send<{ valid: StoredHit[] }>(program, 'POST', '/api/v1/hit', [alert]);
    for (const { howler } of created.valid) answered.add(howler.id);
  }
}

describe('triggers and rules of a killed program', () => {
  it('all run, none again after its report, and rules file every alert once', async (test) => {
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
      const { case_id: caseId } = await send<{ case_id: string }>(program, 'POST', '/api/v2/case', {
        title: 'Crash',
        summary: 'Alerts of a program that is killed',
      });
      await send(program, 'POST', `/api/v2/case/${caseId}/rules?refresh=wait_for`, {
        query: 'event.provider:crash',
        destination: 'found/{{howler.id}}',
      });
      const ran = async () =>
        new Set([...(await runsByHit(program))].filter(([, count]) => count > 0).map(([id]) => id));
      const missing = async () => {
        const done = await ran();
        return [...answered].filter((id) => !done.has(id));
      };
      /** Alerts whose run has its report. */
      const reported = new Set<string>();
      for (let kill = 1; kill <= KILLS; kill += 1) {
        // Runs of an earlier life may have been interrupted before their report.
        const before = await ran();
        const enough = (kill * WRITES) / (KILLS + 1);
        const writing = Promise.allSettled(Array.from({ length: WRITERS }, () => write(program, answered, WRITES)));
        await until('enough alerts were answered', () => answered.size >= enough);
        const known = await ran();
        // A batch begins when those before it have their reports.
        await until('a later batch ran', async () => (await ran()).size > known.size + BATCH);
        for (const id of known.difference(before)) reported.add(id);
        await program.kill();
        await writing;
        program = await spawnProgram({ dataFolder });
      }
      await Promise.all(Array.from({ length: WRITERS }, () => write(program, answered, WRITES)));
      await until('every trigger ran', async () => (await missing()).length === 0);
      await sleep(REDELIVERY);
      const runs = await runsByHit(program);
      const again = [...reported].filter((id) => runs.get(id) !== 1);
      assert.deepEqual(again, [], 'run again after their report');
      const repeated = [...runs.values()].filter((count) => count > 1).length;
      assert.ok(repeated <= KILLS * BATCH, `${repeated} triggers ran again`);
      const { filed, referring } = await filedIn(program, caseId);
      assert.equal(new Set(filed).size, filed.length, 'filed twice');
      assert.deepEqual(
        [...answered].filter((id) => !filed.includes(id) || !referring.has(id)),
        [],
        'not filed',
      );
      test.diagnostic(
        `${answered.size} answered writes, ${reported.size} reported before a kill, ${repeated} interrupted and repeated`,
      );
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});
