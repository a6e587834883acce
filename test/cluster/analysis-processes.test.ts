import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { AnalysisClient, assertWhole } from './analysis-client.ts';
import { clusterFixture } from './cluster-fixture.ts';

const SUBMISSIONS = 100;
const CALLERS = 10;
/** Milliseconds after which the living process has completed what both had accepted. */
const LONGEST_END = 30_000;

describe('two processes of the analysis service', () => {
  const [engine, redis, s3] = (['opensearch', 'redis', 's3'] as const).map((name) => outsideServer(name));
  const reason = [engine, redis, s3].map((one) => one?.unavailable).find((one) => one !== undefined);

  it('complete everything within 30 s when one is killed with 100 submissions in flight', {
    skip: reason ?? false,
  }, async (test) => {
    const fixture = clusterFixture('opensearch', engine?.url ?? '');
    const environment = {
      ...fixture.environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis?.url ?? '',
      SVC_FILES_TYPE: 's3',
      SVC_FILES_URL: `${s3?.url}/processes-${randomUUID()}`,
      SVC_FILES_ACCESS_KEY: 'testkey',
      SVC_FILES_SECRET_KEY: 'testsecret',
      SVC_UI_ENFORCE_QUOTA: 'false',
    };
    const programs: SpawnedProgram[] = [];
    try {
      programs.push(await spawnProgram({ flags: ['--demo=users'], environment, timeout: 120_000 }));
      programs.push(await spawnProgram({ environment }));
      const clients = programs.map(({ addresses }) => new AnalysisClient(addresses.analysis ?? ''));
      const [dying, living] = clients;
      if (dying === undefined || living === undefined) throw new Error('there are two');
      const count = () => clients.reduce((sum, { submitted }) => sum + submitted.length, 0);
      const call = async (client: AnalysisClient) => {
        while (count() < SUBMISSIONS) await client.send('submit');
      };
      await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(index % 2 === 0 ? dying : living)));
      await programs[0]?.kill();
      const killed = performance.now();
      living.submitted.push(...dying.submitted);
      assertWhole(await living.completed(LONGEST_END), 1);
      test.diagnostic(
        `${living.submitted.length} completed ${Math.round(performance.now() - killed)} ms after the kill`,
      );
    } finally {
      await Promise.all(programs.map((program) => program.kill()));
      await fixture.clear();
    }
  });
});
