import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { programEnvironment, spawnProgram } from '../../src/testing/spawn-program.ts';
import { clusterFixture } from './cluster-fixture.ts';

const START = join(import.meta.dirname, '..', '..', 'src', 'start.mjs');
const HEADERS = { authorization: `Basic ${btoa('admin:devkey:admin')}`, 'content-type': 'application/json' };
const GENERATIONS = 3;
const OLD = '2020-01-02T03:04:05Z';

interface Answer {
  readonly api_response: {
    readonly valid: readonly { readonly howler: { readonly id: string } }[];
    readonly case_id: string;
    readonly items: readonly unknown[];
  };
}

describe('retention on a search engine', () => {
  const engines = [
    ['opensearch', 'opensearch'],
    ['elasticsearch8', 'elasticsearch'],
  ] as const;
  for (const [name, type] of engines) {
    const { url, unavailable } = outsideServer(name);
    it(`deletes in every generation of ${name}, and nothing in a dry run`, { skip: unavailable ?? false }, async () => {
      const fixture = clusterFixture(type, url);
      const folder = await mkdtemp(join(tmpdir(), 'triad-retention-'));
      const alias = `${fixture.prefix}-hit`;
      const program = await spawnProgram({ flags: ['--demo=users'], environment: fixture.environment });
      const send = async (method: string, path: string, json?: unknown) => {
        const answer = await fetch(program.alerts + path, { method, headers: HEADERS, body: JSON.stringify(json) });
        assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
        return ((await answer.json()) as Answer).api_response;
      };
      try {
        const old: string[] = [];
        const indices = Object.keys(await engineRequest(url, 'GET', `_alias/${alias}`));
        for (let generation = 1; generation <= GENERATIONS; generation += 1) {
          if (generation > 1) indices.push(await rollover(url, alias, indices));
          const { valid } = await send('POST', '/api/v1/hit?refresh=true', [
            { howler: { analytic: 'Old', hash: `${generation}`.padStart(64, '0') }, event: { created: OLD } },
            { howler: { analytic: 'New', hash: `${generation}`.padStart(64, 'a') } },
          ]);
          old.push(valid[0]?.howler.id ?? '');
        }
        const items = old.map((value) => ({ type: 'hit', value, name: value }));
        const { case_id } = await send('POST', '/api/v2/case', { title: 'Old', summary: 'Old' });
        for (const item of items) await send('POST', `/api/v2/case/${case_id}/items?refresh=true`, item);
        const counts = async () => {
          await engineRequest(url, 'POST', `${alias}/_refresh`);
          return Promise.all(indices.map(async (index) => (await engineRequest(url, 'GET', `${index}/_count`)).count));
        };
        const retention = async (...words: string[]) => {
          const run = promisify(execFile)(process.execPath, [START, 'jobs', 'run', 'retention', ...words], {
            env: { ...programEnvironment(folder), ...fixture.environment },
          });
          return (await run).stdout;
        };
        assert.deepEqual(await counts(), [2, 2, 2]);
        assert.match(await retention('--dry-run'), /^age +done +3 /m);
        assert.deepEqual(await counts(), [2, 2, 2]);
        assert.match(await retention(), /^age +done +3 [\s\S]*^cases +done +1$[\s\S]*^analytics +done +1$/m);
        assert.deepEqual(await counts(), [1, 1, 1]);
        assert.deepEqual((await send('GET', `/api/v2/case/${case_id}`)).items, []);
        assert.match(await retention(), /^age +done +0 /m);
      } finally {
        await program.stop();
        await fixture.clear();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});

/** Makes the alias write to a new index, as the lifecycle of an engine does, which those of tests lack. */
async function rollover(url: string, alias: string, indices: readonly string[]): Promise<string> {
  const [first = ''] = indices;
  const { [first]: like } = await engineRequest(url, 'GET', first);
  const { analysis, mapping } = like.settings.index;
  const index = `${alias}-00000${indices.length + 1}`;
  const settings = { number_of_shards: 1, number_of_replicas: 0, analysis, mapping };
  await engineRequest(url, 'PUT', index, { settings, mappings: like.mappings });
  const older = indices.map((one) => ({ add: { index: one, alias, is_write_index: false } }));
  await engineRequest(url, 'POST', '_aliases', {
    actions: [...older, { add: { index, alias, is_write_index: true } }],
  });
  return index;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the engine
async function engineRequest(url: string, method: string, path: string, json?: unknown): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/${path}`, { method, headers, body: JSON.stringify(json) });
  const body = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}
