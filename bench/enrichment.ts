import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../scripts/script-arguments.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { measureLists } from './enrichment/lists.ts';
import {
  bulkBody,
  bulkPath,
  checkBulk,
  detectionTime,
  lineTimes,
  oneByOne,
  rateOf,
  someLog,
} from './enrichment/lookups.ts';
import { measureOwnSources } from './enrichment/own-sources.ts';
import { type Plugins, startPlugins } from './enrichment/plugins.ts';
import { latencyOf, sender, type Target } from './http-load.ts';
import { residentMegabytes, watchTree } from './memory.ts';
import { type Figure, GOAL_MISSED, median, reached, table } from './report.ts';

const HELP = `npm run bench:enrichment -- [--seconds 10] [--only NAME] [--out FILE.json]

Starts plugins in a process of their own and the program, and measures lookups over HTTP on the same machine.
Prints a table; exit status 3 when a goal was missed.
  --seconds N   duration of each rate
  --only NAME   measures a part alone: lookups, hanging, burst, texts, own, idle or lists
  --out FILE    writes the figures as JSON as well`;
const { values: flags } = readArguments(HELP, {
  seconds: { type: 'string', default: '10' },
  only: { type: 'string' },
  out: { type: 'string' },
});
const SECONDS = Number(flags.seconds);
const KEY = { name: 'bench', secret: 'bench-secret' };
const HEADERS = {
  authorization: `Basic ${Buffer.from(`${KEY.name}:${KEY.secret}`).toString('base64')}`,
  'x-userid': 'bench',
  'x-classification': 'UNRESTRICTED',
};

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

type Addresses = Readonly<Record<string, string>>;

/** Starts the program with sources at these addresses, by name. */
function startProgram(sources: Addresses, settings: Readonly<Record<string, string>> = {}): Promise<SpawnedProgram> {
  const external = Object.entries(sources).map(([name, url]) => ({ name, url }));
  const environment = {
    SVC_UI_AUDIT: 'false',
    SVC_ENRICHMENT_API_KEYS: JSON.stringify({ [KEY.name]: KEY.secret }),
    SVC_ENRICHMENT_EXTERNAL_SOURCES: JSON.stringify(external),
    ...settings,
  };
  return spawnProgram({ flags: ['--demo=users'], environment });
}

interface Fixture {
  readonly program: SpawnedProgram;
  readonly target: Target;
  /** Names of the five sources that answer at once. */
  readonly quick: readonly string[];
}

const HANGING = 'hanging';

/** Starts the program with five quick sources and one that hangs, and stops it after the measurements. */
async function withProgram<T>(plugins: Plugins, measure: (fixture: Fixture) => Promise<T>): Promise<T> {
  const quick = plugins.quick.map((url, number) => [`quick-${number}`, url] as const);
  const program = await startProgram(Object.fromEntries([...quick, [HANGING, plugins.hanging]]));
  try {
    const target = { base: program.addresses.enrichment ?? '', headers: HEADERS };
    return await measure({ program, target, quick: quick.map(([name]) => name) });
  } finally {
    await program.stop();
  }
}

async function measureLookups({ target, quick }: Fixture): Promise<readonly Figure[]> {
  const { send, close } = sender(target, 1);
  try {
    await checkBulk(send, quick, 100);
    say('bulk, 100 selectors');
    const bulk = await oneByOne(400, 100, (run) => send('POST', bulkPath(quick), bulkBody(100, run)));
    const hundred = await rateOf(target, 4, SECONDS, { method: 'POST', path: bulkPath(quick), body: bulkBody(100) });
    say('bulk, 15 selectors');
    const fifteen = await rateOf(target, 4, SECONDS, { method: 'POST', path: bulkPath(quick), body: bulkBody(15) });
    say('single lookups and types');
    const path = `/api/v1/lookup/enrich/ipv4/192.0.2.7/?sources=${quick[0]}`;
    const single = await rateOf(target, 8, SECONDS, { method: 'GET', path });
    const types = await rateOf(target, 8, SECONDS, { method: 'GET', path: '/api/v1/lookup/types_detection/' });
    return [
      { name: 'bulk, 100 selectors, 5 plugins: p50', value: bulk.p50, unit: 'ms', goal: 12 },
      { name: 'the same: p99', value: bulk.p99, unit: 'ms', goal: 30 },
      { name: 'the same, 4 connections', value: hundred, unit: 'requests/s', goal: 150 },
      { name: 'bulk, 15 selectors, 5 plugins, 4 connections', value: fifteen, unit: 'requests/s', goal: 700 },
      { name: 'single, one plugin, 8 connections', value: single, unit: 'requests/s', goal: 3000 },
      { name: 'types_detection, 8 connections', value: types, unit: 'requests/s', goal: 10_000 },
    ];
  } finally {
    close();
  }
}

async function measureHanging({ target, quick }: Fixture): Promise<readonly Figure[]> {
  const { send, close } = sender(target, 20);
  const sources = [...quick.slice(0, 4), HANGING];
  try {
    await checkBulk(send, quick, 100);
    say('one of five sources hangs');
    const whole = await oneByOne(3, 0, (run) => send('POST', bulkPath(sources), bulkBody(100, run)));
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      times.push(...(await lineTimes(target, bulkPath(sources, 0.5), bulkBody(100, run), HANGING)));
    }
    say('its circuit is open');
    const tries = Array.from({ length: 12 }, () => send('POST', bulkPath([HANGING], 2.5), bulkBody(1)));
    await Promise.all(tries);
    const { body } = await send('POST', bulkPath([HANGING]), bulkBody(1));
    if (!body.includes('calls in a row')) throw new Error(`the circuit is not open: ${body.slice(0, 500)}`);
    const open = await oneByOne(200, 20, (run) => send('POST', bulkPath(sources), bulkBody(100, run)));
    return [
      { name: 'one of five hangs, max_timeout 5: whole answer', value: whole.max / 1000, unit: 's', goal: 5.1 },
      {
        name: 'NDJSON, one of five hangs: lines of the others, p99',
        value: latencyOf(times).p99,
        unit: 'ms',
        goal: 50,
      },
      { name: 'one of five with its circuit open: whole answer, p50', value: open.p50, unit: 'ms', goal: 15 },
    ];
  } finally {
    close();
  }
}

async function measureBurst({ program, target, quick }: Fixture): Promise<readonly Figure[]> {
  const { send, close } = sender(target, 200);
  const pid = program.child.pid ?? 0;
  try {
    await checkBulk(send, quick, 100);
    await loopDelay(target);
    say('200 bulk lookups at once');
    const memory = watchTree(pid, { children: false });
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, run) => send('POST', bulkPath(quick, 30), bulkBody(100, run))),
    );
    memory.stop();
    const failed = answers.filter((one) => one.status === 'rejected' || one.value.body.includes('"error":'));
    if (failed.length > 0) say(`  the first failure: ${JSON.stringify(failed[0]).slice(0, 500)}`);
    return [
      { name: '200 bulk lookups of 100 at once: failures', value: failed.length, unit: 'requests', goal: 0 },
      { name: 'the same: RSS, highest', value: memory.peak(), unit: 'MB', goal: 500 },
      { name: 'the same: event loop delay, p99', value: await loopDelay(target), unit: 'ms', goal: 100 },
    ];
  } finally {
    close();
  }
}

/** Returns the 99th percentile of the event loop delay since the last scrape, in milliseconds. */
async function loopDelay({ base }: Target): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

async function measureTexts({ target }: Fixture): Promise<readonly Figure[]> {
  const { send, close } = sender(target, 1);
  try {
    say('extraction of 1 MB');
    const body = JSON.stringify({ text: someLog(1024 * 1024) });
    const extraction = await oneByOne(20, 5, () => send('POST', '/api/v1/lookup/extract', body));
    const { body: types } = await send('GET', '/api/v1/lookup/types_detection/');
    const { api_response: expressions } = JSON.parse(types) as { api_response: Record<string, string | null> };
    const detection = Array.from({ length: 11 }, () => detectionTime(expressions, 10_000));
    return [
      { name: 'extraction of 1 MB of log, p50', value: extraction.p50, unit: 'ms', goal: 150 },
      { name: 'detection of 10,000 strings, p50', value: median(detection), unit: 'ms', goal: 50 },
    ];
  } finally {
    close();
  }
}

/** Memory and start of the program with 20 sources, compared with none. */
async function measureIdle(plugins: Plugins): Promise<readonly Figure[]> {
  say('idle with and without 20 sources');
  const twenty = Object.fromEntries(
    Array.from({ length: 20 }, (_, number) => [`source-${number}`, plugins.quick[number % plugins.quick.length] ?? '']),
  );
  const startOf = async (sources: Addresses) => {
    const program = await startProgram(sources);
    await sleep(3000);
    const result = { ready: program.readyAfter, memory: residentMegabytes(program.child.pid ?? 0) };
    await program.stop();
    return result;
  };
  const bare: Awaited<ReturnType<typeof startOf>>[] = [];
  const full: Awaited<ReturnType<typeof startOf>>[] = [];
  for (let round = 0; round < 5; round += 1) {
    bare.push(await startOf({}));
    full.push(await startOf(twenty));
  }
  const growth = (key: 'ready' | 'memory') => median(full.map((one) => one[key])) - median(bare.map((one) => one[key]));
  return [
    { name: 'idle with 20 sources: growth of RSS', value: growth('memory'), unit: 'MB', goal: 25 },
    { name: 'start with 20 sources: longer by', value: growth('ready'), unit: 'ms', goal: 50 },
  ];
}

/** The parts that `--only` selects. */
const PARTS: Readonly<Record<string, (plugins: Plugins) => Promise<readonly Figure[]>>> = {
  lookups: (plugins) => withProgram(plugins, measureLookups),
  hanging: (plugins) => withProgram(plugins, measureHanging),
  burst: (plugins) => withProgram(plugins, measureBurst),
  texts: (plugins) => withProgram(plugins, measureTexts),
  own: () => measureOwnSources(SECONDS, say),
  idle: measureIdle,
  lists: () =>
    measureLists({
      start: (lists) => startProgram({}, { SVC_ENRICHMENT_LISTS: JSON.stringify(lists) }),
      headers: HEADERS,
      say,
    }),
};

const names = flags.only === undefined ? Object.keys(PARTS) : [flags.only];
const figures: Figure[] = [];
const plugins = await startPlugins();
try {
  for (const name of names) {
    const measure = PARTS[name];
    if (measure === undefined) {
      console.error(`--only takes ${Object.keys(PARTS).join(', ')}, not "${name}"`);
      process.exit(2);
    }
    figures.push(...(await measure(plugins)));
  }
} finally {
  plugins.stop();
}
console.log(table(figures));
if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(figures, null, 2)}\n`);
const missed = figures.filter((figure) => !reached(figure));
console.log(`\n${figures.length - missed.length} of ${figures.length} goals reached`);
process.exitCode = missed.length === 0 ? 0 : GOAL_MISSED;
