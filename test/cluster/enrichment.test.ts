import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type ScriptedServer, startScriptedServer } from '../../src/testing/servers/scripted-server.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';

const HEADERS = {
  authorization: `Basic ${btoa('robot:robot-secret')}`,
  'x-userid': 'grace',
  'x-classification': 'UNRESTRICTED',
  'content-type': 'application/json',
};
/** Calls within an hour to the source `rated`. */
const RATE = 7;

describe('two enrichment processes that share Redis', () => {
  const redis = outsideServer('redis');
  if (redis.unavailable !== undefined) {
    it('not run', { skip: redis.unavailable });
    return;
  }

  let plugin: ScriptedServer;
  let programs: readonly SpawnedProgram[] = [];
  before(async () => {
    plugin = await startScriptedServer(({ url }) => ({
      body: { api_response: url.startsWith('/types') ? { domain: 'UNRESTRICTED' } : [] },
    }));
    const environment = {
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
      // Coordination takes its names from it.
      SVC_DATASTORE_INDEX_PREFIX: `test${process.pid}`,
      SVC_ENRICHMENT_API_KEYS: '{"robot":"robot-secret"}',
      SVC_ENRICHMENT_EXTERNAL_SOURCES: JSON.stringify([
        { name: 'rated', url: plugin.url, rate_limits: [`${RATE}/hour`] },
      ]),
    };
    programs = await Promise.all([1, 2].map(() => spawnProgram({ flags: ['--demo=users'], environment })));
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await plugin?.[Symbol.asyncDispose]();
  });
  const ask = async (process: number, path: string, method = 'GET', json?: object) => {
    const body = json === undefined ? null : JSON.stringify(json);
    const answer = await fetch(`${programs[process]?.addresses.enrichment}${path}`, { method, headers: HEADERS, body });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text).api_response };
  };

  it('know within a second what registers at one of them, and what is removed', async () => {
    const registered = await ask(0, '/api/v1/registration/register/', 'POST', { name: 'late', url: plugin.url });
    assert.equal(registered.status, 200);
    const isKnown = async () => 'late' in (await ask(1, '/api/v1/lookup/types/')).body;
    await until('the other process knows it', isKnown, 1000);
    const again = await ask(1, '/api/v1/registration/register/', 'POST', { name: 'late', url: plugin.url });
    assert.equal(again.status, 409);
    assert.equal((await ask(1, '/api/v1/registration/late', 'DELETE')).status, 204);
    await until(
      'the first process forgot it',
      async () => !('late' in (await ask(0, '/api/v1/lookup/types/')).body),
      1000,
    );
  });

  it('count the calls to a source together', async () => {
    const before = plugin.requests.filter(({ url }) => url.startsWith('/lookup/')).length;
    const answers = await Promise.all(
      Array.from({ length: 2 * RATE }, (_, index) =>
        ask(index % 2, `/api/v1/lookup/enrich/domain/d${index}.org?sources=rated`),
      ),
    );
    const errors = answers.flatMap(({ body }) => body.rated?.error ?? []);
    const asked = plugin.requests.filter(({ url }) => url.startsWith('/lookup/')).length - before;
    assert.equal(asked + errors.length, 2 * RATE);
    // Naming its types is a call, too, of each process.
    assert.ok(asked <= RATE && asked >= RATE - 2, `${asked} calls were made`);
    for (const error of errors) assert.match(error, /\b20\d\d-\d\d-\d\dT/, 'it does not tell the next free call');
    const statuses = await Promise.all([0, 1].map((process) => ask(process, '/api/v1/sources')));
    const left = statuses.map(
      ({ body }) => body.find(({ name }: { name: string }) => name === 'rated').limits.rates[0].left,
    );
    assert.deepEqual(left, [0, 0]);
  });
});
