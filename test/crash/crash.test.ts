import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { programEnvironment, type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { type Alert, AlertClient } from './alert-client.ts';
import { AlertLedger, differences } from './alert-ledger.ts';
import { AlertWriter } from './alert-writer.ts';

const KILLS = Number(process.env.CRASH_KILLS ?? 5);
/** Seed of what is written and how much of it before each kill. `CRASH_SEED` repeats an earlier run. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const WRITERS = 4;
/**
 * Writes that are answered in one life, at most, and how long (milliseconds) a slow machine is waited
 * for.
 */
const MAX_WRITES = 80;
const LONGEST_LIFE = 10_000;
/** Milliseconds after which a start that is to be interrupted is, at most. */
const LONGEST_START = 800;
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'start.mjs');

describe('a killed program', () => {
  it(`has every answered write, and none twice, after each of ${KILLS} kills (CRASH_SEED=${SEED})`, async (test) => {
    const random = randomNumbers(SEED);
    const dataFolder = await mkdtemp(join(tmpdir(), 'triad-crash-'));
    const run = `crash${SEED}`;
    const ledger = new AlertLedger();
    const writers = Array.from({ length: WRITERS }, (_, index) => new AlertWriter(`w${index}`, ledger, random));
    let program = await spawnProgram({ dataFolder, flags: ['--demo=users'] });
    try {
      const appToken = await new AlertClient(program.alerts, run).logIn();
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await writeAndKill(program, writers, ledger, ledger.answered + random() * MAX_WRITES, run);
        // Now and then it dies again before it is ready, while it makes up for the first death.
        if (random() < 0.2) await killWhileStarting(dataFolder, random() * LONGEST_START);
        program = await spawnProgram({ dataFolder });
        const client = new AlertClient(program.alerts, run);
        const problems = [...ledger.settle(await client.search()), ...(await indexProblems(client, ledger))];
        assert.deepEqual(problems, [], `after kill ${kill} and ${ledger.answered} answered writes`);
        assert.equal(await client.isLoggedIn(appToken), true, `the app token is gone after kill ${kill}`);
      }
      assert.ok(ledger.answered > KILLS * WRITERS, `only ${ledger.answered} writes were answered`);
      test.diagnostic(`${KILLS} kills, ${ledger.answered} answered writes, ${ledger.records.size} alerts left`);
    } finally {
      await program.kill();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});

/** Runs all writers until `enough` writes were answered, then kills the program during the next. */
async function writeAndKill(
  program: SpawnedProgram,
  writers: readonly AlertWriter[],
  ledger: AlertLedger,
  enough: number,
  run: string,
): Promise<void> {
  const client = new AlertClient(program.alerts, run);
  let writing = true;
  const ended = Promise.allSettled(
    writers.map((writer) =>
      writer.writeUntilKilled(client).finally(() => {
        writing = false;
      }),
    ),
  );
  const deadline = performance.now() + LONGEST_LIFE;
  // A writer that is answered what it must not be ends the life early.
  while (writing && ledger.answered < enough && performance.now() < deadline) await sleep(1);
  await program.kill();
  for (const outcome of await ended) if (outcome.status === 'rejected') throw outcome.reason;
}

async function killWhileStarting(dataFolder: string, after: number): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'serve'], { env: programEnvironment(dataFolder), stdio: 'ignore' });
  const gone = once(child, 'exit');
  await sleep(after);
  child.kill('SIGKILL');
  await gone;
}

/** Returns the differences between the ledger and reads by identifier and by search. */
async function indexProblems(client: AlertClient, ledger: AlertLedger): Promise<string[]> {
  const records = [...ledger.records.values()];
  const stored: (Alert | undefined)[] = await Promise.all(records.map(({ id }) => client.get(id)));
  const problems = records.flatMap((record, index) => differences(record, stored[index]));
  const counted = async (field: string, expected: Iterable<string>): Promise<void> => {
    const wanted = Object.fromEntries(
      [...Map.groupBy(expected, (value) => value)].map(([key, all]) => [key, all.length]),
    );
    const found = await client.facet(field);
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
      if (wanted[key] !== found[key])
        problems.push(`the index counts ${found[key]} alerts with ${field} ${key}, not ${wanted[key]}`);
    }
  };
  await counted(
    'howler.detection',
    records.map(({ batch }) => batch),
  );
  await counted(
    'howler.status',
    records.map(({ assigned }) => (assigned ? 'in-progress' : 'open')),
  );
  await counted(
    'howler.score',
    records.map(({ score }) => String(score)),
  );
  const analytics = await client.countAnalytics();
  if (records.length > 0 && analytics !== 1) problems.push(`there are ${analytics} analytics of one name`);
  await counted(
    'tags',
    records.flatMap(({ tags }) => tags),
  );
  return problems;
}

/** Mulberry32: small, and the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
