import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startScriptedServer } from '../../src/testing/servers/scripted-server.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { until } from '../../src/testing/until.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 3);
const LOOKUPS = 200;
/** Answers to registrations and removals in one life, at most. */
const MAX_WRITES = 12;
const HEADERS = {
  authorization: `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`,
  'x-userid': 'grace',
  'x-classification': 'UNRESTRICTED',
  'content-type': 'application/json',
};
const environment = { SVC_ENRICHMENT_API_KEYS: '{"robot":"robot-secret"}' };
const SELECTORS = JSON.stringify(
  Array.from({ length: 50 }, (_, index) => ({ type: 'domain', value: `d${index}.org` })),
);

/** Answers to registrations and removals. */
let answered = 0;

describe('a program that is killed during registrations and 200 lookups', () => {
  it(`has every answered registration, whole, after each of ${KILLS} kills`, async () => {
    await using plugin = await startScriptedServer(({ url }) => ({
      body: { api_response: url === '/types/' ? { domain: 'UNRESTRICTED' } : {} },
    }));
    const dataFolder = await mkdtemp(join(tmpdir(), 'triad-enrichment-crash-'));
    const registered = new Set<string>();
    const removed = new Set<string>();
    const attempted = new Set<string>();
    let program = await spawnProgram({ dataFolder, environment, flags: ['--demo=users'] });
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const lookups = Array.from({ length: LOOKUPS }, () => send(program, 'POST', '/enrich/', SELECTORS));
        const writers = [0, 1, 2].map((writer) => write(program, `k${kill}w${writer}`, plugin.url));
        const enough = answered + 1 + Math.floor(Math.random() * MAX_WRITES);
        await until('registrations were answered', () => answered >= enough, 60_000);
        await program.kill();
        await Promise.all(lookups);
        for (const log of await Promise.all(writers)) {
          for (const name of log.attempted) attempted.add(name);
          for (const name of log.registered) registered.add(name);
          for (const name of log.removed) removed.add(name);
        }
        program = await spawnProgram({ dataFolder, environment });
        const listed = await send(program, 'GET', '/api/v1/lookup/types/');
        const types = listed?.api_response as Readonly<Record<string, unknown>>;
        const external = Object.keys(types).filter((name) => /^k\d+w/.test(name));
        for (const name of registered) assert.ok(external.includes(name), `${name} is gone after kill ${kill}`);
        for (const name of removed) assert.ok(!external.includes(name), `${name} is back after kill ${kill}`);
        for (const name of external) {
          assert.ok(attempted.has(name), `${name} was never registered`);
          assert.deepEqual(types[name], ['domain'], `${name} is only half there`);
        }
      }
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});

/** Registers sources, and removes every second, until the program dies. Tells what was answered. */
async function write(program: SpawnedProgram, prefix: string, url: string) {
  const log = { attempted: [] as string[], registered: new Set<string>(), removed: [] as string[] };
  for (let number = 0; number < 10; number += 1) {
    const name = `${prefix}n${number}`;
    log.attempted.push(name);
    if ((await send(program, 'POST', '/api/v1/registration/register/', JSON.stringify({ name, url }))) === undefined)
      break;
    answered += 1;
    log.registered.add(name);
    if (number % 2 === 0) continue;
    // Without an answer it may be there or not.
    log.registered.delete(name);
    if ((await send(program, 'DELETE', `/api/v1/registration/${name}`)) === undefined) break;
    answered += 1;
    log.removed.push(name);
  }
  return log;
}

/** Returns the envelope of an answer, undefined when the program died before it was whole. */
async function send(program: SpawnedProgram, method: string, path: string, body?: string) {
  try {
    const answer = await fetch(`${program.addresses.enrichment}${path}`, {
      method,
      headers: HEADERS,
      body: body ?? null,
    });
    assert.ok(answer.ok, `${method} ${path} was answered with ${answer.status}`);
    const text = await answer.text();
    return (text === '' ? {} : JSON.parse(text)) as { readonly api_response?: unknown };
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return undefined;
  }
}
