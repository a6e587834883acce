import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatastore } from '../composition/open-adapters.ts';
import { loadConfig } from '../config/config.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { unrestricted } from '../datastore/port/read-access.ts';
import { migrationDocument } from '../documents/kinds/migration.ts';
import { runDocument } from '../testing/migrations/migration-runs.ts';
import { type OutsideServerName, outsideServer } from '../testing/servers/outside-servers.ts';

const EVERYTHING = unrestricted('the test looks at what the runners left');
const PROGRAM = join(import.meta.dirname, '../testing/migrations/run-test-migrations.ts');
const TYPES = { opensearch: 'opensearch', elasticsearch8: 'elasticsearch', elasticsearch9: 'elasticsearch' } as const;

const root = mkdtempSync(join(tmpdir(), 'triad-runners-'));
const started = new Set<ChildProcess>();
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

describe('migration runners on the embedded engine', () => {
  for (const count of [2, 4]) {
    it(`apply each migration once, ${count} at the same time`, () => manyAtOnce(newPlace(), count));
  }
  it('replace the claim of one that was killed, when it is stale', () => afterKill(newPlace()));
  it('go on after one that was asked to end', () => afterTermination(newPlace()));
});

for (const name of Object.keys(TYPES) as (keyof typeof TYPES & OutsideServerName)[]) {
  describe(`migration runners on ${name}`, () => {
    const server = outsideServer(name);
    if (server.unavailable !== undefined) {
      it('not run', { skip: server.unavailable });
      return;
    }
    const place = () =>
      newPlace({
        SVC_DATASTORE_TYPE: TYPES[name],
        SVC_DATASTORE_HOSTS: server.url,
        SVC_DATASTORE_TRANSPORT_TIMEOUT: '60',
      });
    for (const count of [2, 20]) {
      it(`apply each migration once, ${count} at the same time`, () => manyAtOnce(place(), count));
    }
    it('replace the claim of one that was killed, when it is stale', () => afterKill(place()));
    it('go on after one that was asked to end', () => afterTermination(place()));
    it('fail to mark and to delete a claim that was replaced while they were frozen', () => afterFreeze(place()));
  });
}

async function manyAtOnce(place: Place, count: number): Promise<void> {
  place.openGate();
  const runners = Array.from({ length: count }, () => startRunner(place));
  const ends = await Promise.all(runners.map((runner) => runner.end()));
  for (const { status, printed } of ends) assert.equal(status, 0, printed);
  for (const id of ['brief', 'gated']) {
    const applied = ends.filter(({ printed }) => new RegExp(`^${id} +applied now +1 `, 'm').test(printed));
    assert.equal(applied.length, 1, ends.map(({ printed }) => printed).join('\n'));
  }
  await place.look(async (datastore) => {
    assert.deepEqual(await runsOf(datastore), ['brief', 'gated']);
    const records = datastore.collection(migrationDocument);
    for (const id of ['brief', 'gated']) assert.equal((await records.get(id, EVERYTHING))?.status, 'applied');
  });
}

async function afterKill(place: Place): Promise<void> {
  const killed = startRunner(place, { ids: ['gated'] });
  await killed.inside();
  killed.child.kill('SIGKILL');
  await killed.end();
  place.openGate();
  const claimOf = () => place.look((datastore) => datastore.collection(migrationDocument).get('gated', EVERYTHING));
  const left = await claimOf();
  assert.equal(left?.status, 'running');

  const next = startRunner(place, { ids: ['gated'], environment: { STALE_CLAIM_TIMEOUT: '3' } });
  const { status, printed } = await next.end();
  assert.equal(status, 0, printed);
  assert.match(printed, /gated +applied now +1 /);
  const taken = await claimOf();
  assert.notEqual(taken?.claim_id, left.claim_id);
  assert.ok(Date.parse(taken?.started_at ?? '') - Date.parse(left.started_at) >= 3000, JSON.stringify([left, taken]));
  await place.look(async (datastore) => assert.deepEqual(await runsOf(datastore), ['gated', 'gated']));
}

async function afterTermination(place: Place): Promise<void> {
  const ended = startRunner(place);
  await ended.inside();
  ended.child.kill('SIGTERM');
  const { status, printed } = await ended.end();
  assert.equal(status, 1);
  assert.match(printed, /ERROR: gated: interrupted \(SIGTERM\)/);
  assert.match(printed, /brief +applied now .*\ngated +interrupted/);
  place.openGate();
  const next = await startRunner(place).end();
  assert.equal(next.status, 0, next.printed);
  assert.match(next.printed, /brief +already applied .*\ngated +applied now/);
}

async function afterFreeze(place: Place): Promise<void> {
  const frozen = startRunner(place, { ids: ['gated'] });
  await frozen.inside();
  frozen.child.kill('SIGSTOP');
  place.openGate();
  const next = await startRunner(place, { ids: ['gated'], environment: { STALE_CLAIM_TIMEOUT: '1' } }).end();
  assert.equal(next.status, 0, next.printed);
  const record = () => place.look((datastore) => datastore.collection(migrationDocument).get('gated', EVERYTHING));
  const before = await record();
  assert.equal(before?.status, 'applied');
  frozen.child.kill('SIGCONT');
  const { status, printed } = await frozen.end();
  assert.equal(status, 1, printed);
  assert.match(printed, /ERROR: gated: The claim of the migration gated is no longer owned by this process/);
  assert.match(printed, /WARNING: gated: The claim could not be released/);
  assert.deepEqual(await record(), before);
}

async function runsOf(datastore: Datastore): Promise<string[]> {
  const runs: string[] = [];
  for await (const { document } of datastore.collection(runDocument).stream({ query: { kind: 'all' } }, EVERYTHING)) {
    runs.push(document.migration);
  }
  return runs.sort();
}

/** A datastore that runners share, and the file that opens the gate of the migration `gated`. */
interface Place {
  readonly environment: Readonly<Record<string, string>>;
  openGate(): void;
  look<T>(at: (datastore: Datastore) => Promise<T>): Promise<T>;
}

function newPlace(settings: Readonly<Record<string, string>> = {}): Place {
  const folder = mkdtempSync(join(root, 'place-'));
  const gate = join(folder, 'gate');
  const environment = {
    SVC_DATA_FOLDER: folder,
    SVC_CONF_FOLDER: folder,
    SVC_DATASTORE_INDEX_PREFIX: `runners-${randomBytes(4).toString('hex')}`,
    SVC_MIGRATION_POLL_INTERVAL: '0.1',
    TEST_GATE: gate,
    ...settings,
  };
  const { TEST_GATE: _, ...own } = environment;
  const open = () => openDatastore(loadConfig({ environment: own }), { logger: pino({ level: 'silent' }) });
  if (settings.SVC_DATASTORE_TYPE !== undefined) {
    after(async () => {
      const datastore = await open();
      const indices = await datastore.admin.list(`${environment.SVC_DATASTORE_INDEX_PREFIX}-*`);
      for (const { name } of indices) await datastore.admin.delete(name);
      await datastore.close();
    });
  }
  return {
    environment,
    openGate: () => writeFileSync(gate, ''),
    async look(at) {
      const datastore = await open();
      try {
        return await at(datastore);
      } finally {
        await datastore.close();
      }
    },
  };
}

interface RunnerOptions {
  /** Default: all. */
  readonly ids?: readonly string[];
  /** Variables without their `SVC_MIGRATION_`. */
  readonly environment?: Readonly<Record<string, string>>;
}

function startRunner(place: Place, { ids, environment = {} }: RunnerOptions = {}) {
  const words = ids === undefined ? ['--all'] : ids.map((id) => `--migration-id=${id}`);
  const variables = Object.entries(environment).map(([name, value]) => [`SVC_MIGRATION_${name}`, value]);
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH, ...place.environment, ...Object.fromEntries(variables) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const closed = once(child, 'close');
  return {
    child,
    async inside() {
      while (!/^inside$/m.test(printed)) {
        assert.equal(child.exitCode, null, printed);
        await pause(20);
      }
    },
    async end() {
      const [status] = await closed;
      started.delete(child);
      return { status: status as number | null, printed };
    },
  };
}
