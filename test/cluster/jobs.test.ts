import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';
import { type ClusterFixture, clusterFixture } from './cluster-fixture.ts';

const HEADERS = { authorization: `Basic ${btoa('admin:devkey:admin')}`, 'content-type': 'application/json' };
const OLD_ALERTS = 30_000;
const BATCH = 500;
/** Milliseconds until another process has taken the job over, and for the work that is left. */
const TAKEN_OVER = 10_000;
const LEFT = 30_000;

describe('jobs of two processes', () => {
  const engine = outsideServer('opensearch');
  const redis = outsideServer('redis');
  const reason = engine.unavailable ?? redis.unavailable;
  if (reason !== undefined) {
    it('not run', { skip: reason });
    return;
  }

  let fixture: ClusterFixture;
  let environment: Record<string, string>;
  let programs: readonly SpawnedProgram[] = [];

  const post = async (base: string, path: string, json: unknown) => {
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(json) });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return (await answer.json()) as { readonly api_response: { readonly total: number } };
  };
  /** Alerts that the process deleted. */
  const deletedBy = async ({ alerts }: SpawnedProgram) => {
    const text = await (await fetch(`${alerts}/metrics`)).text();
    return Number(/^triad_deleted_hits_total (\d+)$/m.exec(text)?.[1]);
  };
  const left = async (base: string) =>
    (await post(base, '/api/v1/search/hit', { query: '*:*', rows: 0, track_total_hits: true })).api_response.total;

  before(async () => {
    fixture = clusterFixture('opensearch', engine.url);
    environment = {
      ...fixture.environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
      SVC_SYSTEM_RETENTION_CRONTAB: '* * * * *',
    };
    const loader = await spawnProgram({
      flags: ['--demo=users'],
      environment: { ...environment, SVC_COMPONENTS: 'http' },
    });
    for (let from = 0; from < OLD_ALERTS; from += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, n) => ({
        howler: { analytic: 'Old', hash: (from + n).toString(16).padStart(64, '0') },
        event: { created: '2020-01-02T03:04:05Z' },
      }));
      await post(loader.alerts, '/api/v1/hit/', batch);
    }
    await loader.stop();
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await fixture?.clear();
  });

  it('are run by one, and continued by the other when that one is killed', async (test) => {
    programs = await Promise.all([1, 2].map(() => spawnProgram({ environment })));
    let runner: SpawnedProgram | undefined;
    await until(
      'one of them deletes alerts',
      async () => {
        for (const program of programs) if ((await deletedBy(program)) > 0) runner = program;
        return runner !== undefined;
      },
      90_000,
    );
    const other = programs.find((program) => program !== runner);
    assert.ok(runner && other);
    assert.equal(await deletedBy(other), 0, 'both run the job');
    programs = [other];
    await runner.kill();
    const killedAt = performance.now();
    await until('the other one deletes alerts', async () => (await deletedBy(other)) > 0, TAKEN_OVER);
    test.diagnostic(`taken over after ${Math.round(performance.now() - killedAt)} ms`);
    await until('no old alert is left', async () => (await left(other.alerts)) === 0, LEFT);
  });
});
