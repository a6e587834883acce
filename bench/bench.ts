import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../scripts/script-arguments.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { CREDENTIALS, expectFound, requests, someIds } from './alert-requests.ts';
import { measureFuzzy } from './fuzzy.ts';
import { type Latency, latencyOf, measureLatency, measureRate, sender, type Target } from './http-load.ts';
import { BATCH, load, searchUnderLoad } from './load.ts';
import { residentMegabytes, watchMemory } from './memory.ts';
import { measureRawEngine, type RawEngine } from './raw-engine.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';
import { measureRetention } from './retention.ts';
import { measureSockets } from './sockets.ts';
import { measureWork } from './work.ts';

const HELP = `npm run bench -- [--alerts 1000000] [--small 20000] [--work-seconds 120] [--only NAME] [--out FILE.json]

Starts the program on an empty folder, loads alerts, measures the latencies that users notice, and measures the raw engine with the same
documents in the same run. Prints a table; exit status 3 when a goal was missed.
  --alerts N   alerts to load
  --small N    alerts of the measures over a small data set
  --work-seconds N  duration of each load under which triggers and rules of cases work, and the longest of websockets
  --only NAME  measures a part alone: fuzzy, sockets, retention or work (triggers and rules of cases)
  --out FILE   writes the figures as JSON as well`;
const { values: flags } = readArguments(HELP, {
  alerts: { type: 'string', default: '1000000' },
  small: { type: 'string', default: '20000' },
  'work-seconds': { type: 'string', default: '120' },
  only: { type: 'string' },
  out: { type: 'string' },
});
const ALERTS = positive('alerts', flags.alerts);
const SMALL = Math.min(ALERTS, positive('small', flags.small));
const WORK_SECONDS = positive('work-seconds', flags['work-seconds']);
/** Alerts that plain-text searches are measured over. */
const SEARCHED = Math.max(SMALL, Math.min(ALERTS, 100_000));
const NOW = Date.now();

function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} takes a whole number above 0, not "${text}"`);
  process.exit(2);
}

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/**
 * The figures as they come: a run of a million alerts takes minutes, and one that breaks off has told
 * something.
 */
function tell(name: string, latencies: Readonly<Record<string, Latency>>): void {
  const shown = Object.entries(latencies).map(
    ([what, { p50, p99 }]) => `${what} ${p50.toFixed(1)}/${p99.toFixed(1)} ms`,
  );
  say(`  ${name}, p50/p99: ${shown.join(', ')}`);
}

async function measureSearches(target: Target) {
  const { send, close } = sender(target, 1);
  for (let warm = 0; warm < 5; warm++) await requests.search(send);
  const search = await measureLatency(1, 200, () => requests.search(send));
  const facet = await measureLatency(1, 60, () => requests.facet(send));
  const histogram = await measureLatency(1, 60, () => requests.histogram(send));
  close();
  return { search, facet, histogram };
}

/**
 * One small change and the search that has to find it at once, on four connections; times of the
 * change alone.
 */
async function measureChanges(target: Target, ids: readonly string[]) {
  const { send, close } = sender(target, 4);
  const timed = async (count: number, change: (n: number) => Promise<string>) => {
    const times: number[] = [];
    await measureLatency(4, count, async (n) => {
      const started = performance.now();
      const query = await change(n);
      times.push(performance.now() - started);
      await expectFound(send, query);
    });
    return latencyOf(times);
  };
  const idOf = (n: number) => ids[n % ids.length] ?? '';
  const create = await timed(200, (n) => requests.create(send, n, NOW));
  const comment = await timed(200, (n) => requests.comment(send, idOf(n), n));
  const transition = await timed(200, (n) => requests.transition(send, idOf(n)));
  close();
  return { create, comment, transition };
}

/** Searches while a thousand alerts a second arrive. */
async function measureUnderLoad(target: Target, seconds: number): Promise<Latency> {
  const end = performance.now() + seconds * 1000;
  const isOver = () => performance.now() >= end;
  return latencyOf(await searchUnderLoad(target, { first: ALERTS + SMALL, rate: 1000, now: NOW, isOver, say }));
}

/** Plain-text searches over the alerts that are stored. */
async function measurePlainText(target: Target): Promise<Figure> {
  say('plain-text searches');
  const { send, close } = sender(target, 1);
  const { kinds, all } = await measureFuzzy(send, 10);
  close();
  tell('plain text', kinds);
  return {
    name: `fuzzy search over ${SEARCHED.toLocaleString('en')} alerts, p50`,
    value: all.p50,
    unit: 'ms',
    goal: 40,
  };
}

/** The parts that `--only` selects. */
const PARTS = {
  fuzzy: () =>
    inFolder(async (dataFolder) => {
      const program = await spawnProgram({ flags: ['--demo=users'], dataFolder });
      try {
        const target = { base: program.alerts, headers: CREDENTIALS };
        await load(target, 0, SEARCHED, NOW, say);
        return [await measurePlainText(target)];
      } finally {
        await program.stop();
      }
    }),
  sockets: () => measureSockets(Math.min(30, WORK_SECONDS), NOW, say),
  retention: () =>
    inFolder((folder) => measureRetention({ dataFolder: folder, alerts: ALERTS, loaded: 0, now: NOW, say })),
  work: () => measureWork(WORK_SECONDS, NOW, say),
} satisfies Readonly<Record<string, () => Promise<Figure[]>>>;

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'triad-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(folder: string): Promise<Figure[]> {
  let program: SpawnedProgram | undefined;
  let raw: RawEngine | undefined;
  try {
    say(`raw engine: ${ALERTS.toLocaleString('en')} alerts`);
    raw = await measureRawEngine(
      folder,
      ALERTS,
      NOW,
      (done) => done % 200_000 === 0 && say(`  ${done.toLocaleString('en')}`),
    );
    raw.close();
    say('program: start on an empty folder');
    const dataFolder = join(folder, 'data');
    const start = () => spawnProgram({ flags: ['--demo=users'], dataFolder });
    program = await start();
    let target: Target = { base: program.alerts, headers: CREDENTIALS };
    let memory = watchMemory(program.child.pid ?? 0);

    await load(target, 0, SMALL, NOW, say);
    say(`${SMALL.toLocaleString('en')} stored: search`);
    const small = await measureSearches(target);
    tell('small', small);
    say(`load up to ${SEARCHED.toLocaleString('en')}`);
    const first = SMALL < SEARCHED ? await load(target, SMALL, SEARCHED, NOW, say) : Number.POSITIVE_INFINITY;
    const fuzzy = await measurePlainText(target);
    say(`load up to ${ALERTS.toLocaleString('en')}`);
    const second = SEARCHED < ALERTS ? await load(target, SEARCHED, ALERTS, NOW, say) : first;
    const rate = (ALERTS - SMALL) / ((SEARCHED - SMALL) / first + (ALERTS - SEARCHED) / second);
    const loading = memory.peak();
    say('searches, facets, histograms');
    const large = await measureSearches(target);
    tell('large', large);
    const ids = await someIds(target);
    say('rates');
    const whoami = await measureRate(target, ['/api/v1/user/whoami'], 8, 10);
    const get = await measureRate(
      target,
      ids.map((id) => `/api/v1/hit/${id}`),
      8,
      10,
    );
    say(`  whoami ${Math.round(whoami)}/s, get ${Math.round(get)}/s`);
    say('single changes');
    const changes = await measureChanges(target, ids);
    tell('changes', changes);
    say('searches under load');
    const busy = await measureUnderLoad(target, 20);
    tell('under load', { search: busy });
    memory.stop();
    say(
      `  RSS peak while loading ${Math.round(loading)} MB; raw engine ${Math.round(raw.loadRate)} alerts/s, program ${Math.round(rate)}`,
    );
    say('second start');
    await program.stop();
    program = await start();
    memory = watchMemory(program.child.pid ?? 0);
    const ready = program.readyAfter / 1000;
    target = { base: program.alerts, headers: CREDENTIALS };
    await measureSearches(target);
    // Idle memory is what remains without requests for a while.
    await new Promise((resolve) => setTimeout(resolve, 45_000));
    const idle = residentMegabytes(program.child.pid ?? 0);
    memory.stop();
    await program.stop();
    program = undefined;
    const retention = await measureRetention({ dataFolder, alerts: ALERTS, loaded: ALERTS, now: NOW, say });

    const stored = ALERTS.toLocaleString('en');
    return [
      {
        name: `POST hit, batches of ${BATCH}, 2 connections`,
        value: rate,
        unit: 'alerts/s',
        goal: Math.max(3000, 0.35 * raw.loadRate),
        raw: raw.loadRate,
      },
      { name: 'whoami by API key, 8 connections', value: whoami, unit: 'requests/s', goal: 6000 },
      { name: 'GET hit by id, 8 connections', value: get, unit: 'requests/s', goal: 6000, raw: 1000 / raw.get.p50 },
      {
        name: `search, 2 filters, newest 25, total; p50 (${stored})`,
        value: large.search.p50,
        unit: 'ms',
        goal: 25,
        raw: raw.search.p50,
      },
      { name: `the same, p99 (${stored})`, value: large.search.p99, unit: 'ms', goal: 80, raw: raw.search.p99 },
      { name: `the same, p50 (${SMALL.toLocaleString('en')})`, value: small.search.p50, unit: 'ms', goal: 5 },
      {
        name: 'facet of two fields under a filter, p50',
        value: large.facet.p50,
        unit: 'ms',
        goal: 40,
        raw: raw.facet.p50,
      },
      { name: 'histogram over 90 days, p50', value: large.histogram.p50, unit: 'ms', goal: 40, raw: raw.histogram.p50 },
      fuzzy,
      { name: 'create one, p50 (4 connections)', value: changes.create.p50, unit: 'ms', goal: 10 },
      { name: 'add a comment, p50 (4 connections)', value: changes.comment.p50, unit: 'ms', goal: 10 },
      { name: 'transition, p50 (4 connections)', value: changes.transition.p50, unit: 'ms', goal: 10 },
      { name: 'search while 1,000 alerts/s arrive, p99', value: busy.p99, unit: 'ms', goal: 250 },
      ...retention,
      { name: `ready after start (${stored})`, value: ready, unit: 's', goal: 2 },
      { name: `RSS idle (${stored})`, value: idle, unit: 'MB', goal: 250 },
      { name: 'RSS while loading, peak', value: loading, unit: 'MB', goal: 1024 },
    ];
  } finally {
    if (program !== undefined) await program.stop();
  }
}

async function main(): Promise<void> {
  const { only } = flags;
  const part = only === undefined ? undefined : Object.entries(PARTS).find(([name]) => name === only)?.[1];
  if (only !== undefined && part === undefined) {
    console.error(`--only takes ${Object.keys(PARTS).join(', ')}, not "${only}"`);
    process.exit(2);
  }
  const figures = part
    ? await part()
    : [...(await inFolder(measureAll)), ...(await PARTS.sockets()), ...(await PARTS.work())];
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}`;
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}; ${machine}; ${ALERTS.toLocaleString('en')} alerts of 45 filled fields\n`,
  );
  console.log(table(figures));
  const out =
    flags.out ?? join(import.meta.dirname, 'results', `${new Date().toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(join(out, '..'), { recursive: true });
  writeFileSync(
    out,
    `${JSON.stringify({ date: new Date().toISOString(), machine, alerts: ALERTS, figures }, null, 2)}\n`,
  );
  console.log(`\n${figures.filter(reached).length} of ${figures.length} goals reached; written to ${out}`);
  if (!figures.every(reached)) process.exitCode = GOAL_MISSED;
}

await main();
