import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../scripts/script-arguments.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { measureScale } from './analysis/scale.ts';
import { ANALYSIS_CREDENTIALS, AnalysisClient, someText } from './analysis-requests.ts';
import { type Latency, latencyOf, measureLatency, type Target } from './http-load.ts';
import { processTreeMegabytes, residentMegabytes, watchTree } from './memory.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';

const HELP = `npm run bench:analysis -- [--files 1000] [--large 1024] [--submissions 200000] [--results 1000000] [--folder FOLDER] [--only NAME] [--out FILE.json]

Starts the program with its built-in analyzers on an empty folder and measures what people notice of the analysis service.
Then stores submissions with their results in another folder, and measures searches, reading and a real service of the public packages.
Prints a table; exit status 3 when a goal was missed.
  --files N        different files of the throughput
  --large MB       size of the large upload
  --submissions N  submissions that are searched
  --results N      results that are searched, at least 4,000
  --folder FOLDER  keeps the submissions and results there, and uses them when they are there already
  --only NAME      measures a part alone: intake or scale
  --out FILE       writes the figures as JSON as well`;
const { values: flags } = readArguments(HELP, {
  files: { type: 'string', default: '1000' },
  large: { type: 'string', default: '1024' },
  submissions: { type: 'string', default: '200000' },
  results: { type: 'string', default: '1000000' },
  folder: { type: 'string' },
  only: { type: 'string' },
  out: { type: 'string' },
});
const FILES = Number(flags.files);
const LARGE = Number(flags.large) * 1024 * 1024;
const SCALE = { submissions: Number(flags.submissions), results: Number(flags.results), folder: flags.folder };
const ENVIRONMENT = { SVC_UI_ENFORCE_QUOTA: 'false', SVC_UI_AUDIT: 'false' };
const TEXT_SIZE = 10_000;
const CHARACTERIZE = { params: { services: { selected: ['Characterize'] }, ttl: 1 } };

/** Figures of a part, with the highest memory of all processes meanwhile. */
interface Part {
  readonly figures: readonly Figure[];
  readonly peak: number;
}

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/** Answers and completions of one text after the other, with nothing else to do. */
async function measureIdle(client: AnalysisClient, count: number) {
  const answered: number[] = [];
  const completed: number[] = [];
  for (let number = 0; number < count + 5; number++) {
    const started = performance.now();
    const sid = await client.submit(someText(TEXT_SIZE, number), CHARACTERIZE);
    const middle = performance.now();
    await client.completed(sid);
    // The first ones start the process of the analyzer.
    if (number < 5) continue;
    answered.push(middle - started);
    completed.push(performance.now() - started);
  }
  return { answered: latencyOf(answered), completed: latencyOf(completed) };
}

/** Different files over 8 connections: submissions a second, until the last one is completed. */
async function measureThroughput(target: Target, client: AnalysisClient): Promise<{ rate: number; whoami: Latency }> {
  const run = `t${Date.now()}`;
  const settings = { ...CHARACTERIZE, metadata: { run } };
  const uploads = new AnalysisClient(target, 8);
  const started = performance.now();
  let isOver = false;
  const others = askMeanwhile(client, () => isOver);
  await measureLatency(8, FILES, (number) =>
    uploads.submit(someText(1000 + ((number * 977) % 49_000), number), settings),
  );
  await until(client, run, FILES);
  isOver = true;
  const rate = FILES / ((performance.now() - started) / 1000);
  uploads.close();
  return { rate, whoami: latencyOf(await others) };
}

async function askMeanwhile(client: AnalysisClient, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    await client.get('/api/v4/user/whoami/');
    times.push(performance.now() - started);
    await sleep(20);
  }
  return times;
}

/** Waits until that many submissions with the metadata are completed. */
async function until(client: AnalysisClient, run: string, count: number): Promise<void> {
  for (;;) {
    const query = { query: `metadata.run:${run} AND state:completed`, rows: 0 };
    const { total } = (await client.post('/api/v4/search/submission/', query)) as { total: number };
    if (total >= count) return;
    await sleep(100);
  }
}

/** Measures how many files ingest accepts a second, and the time of an equal file. */
async function measureIngest(target: Target, client: AnalysisClient) {
  const uploads = new AnalysisClient(target, 8);
  const started = performance.now();
  await measureLatency(8, FILES, (number) => uploads.ingest(someText(2000, number), CHARACTERIZE));
  const rate = FILES / ((performance.now() - started) / 1000);
  uploads.close();
  say(`  ingest accepts ${Math.round(rate)}/s; waiting for the queue`);
  const queue = `bench${Date.now()}`;
  const same = someText(TEXT_SIZE, 1);
  const again = { ...CHARACTERIZE, notification_queue: queue };
  const once = async () => {
    const begun = performance.now();
    await client.ingest(same, again);
    while ((await client.get(`/api/v4/ingest/get_message/${queue}/`)) === null) await sleep(2);
    return performance.now() - begun;
  };
  await once();
  const times: number[] = [];
  for (let number = 0; number < 50; number++) times.push(await once());
  return { rate, again: latencyOf(times) };
}

async function measureLarge(client: AnalysisClient, pid: number) {
  const before = residentMegabytes(pid);
  const memory = watchTree(pid, { children: false });
  const started = performance.now();
  await client.uploadLarge(LARGE);
  const seconds = (performance.now() - started) / 1000;
  memory.stop();
  return { rate: LARGE / 1024 / 1024 / seconds, growth: memory.peak() - before };
}

async function measureIntake(dataFolder: string): Promise<Part> {
  const environment = ENVIRONMENT;
  const program: SpawnedProgram = await spawnProgram({ flags: ['--demo=users'], dataFolder, environment });
  const target = { base: program.addresses.analysis ?? '', headers: ANALYSIS_CREDENTIALS };
  const pid = program.child.pid ?? 0;
  const client = new AnalysisClient(target, 4);
  try {
    await sleep(2000);
    const quiet = processTreeMegabytes(pid);
    const memory = watchTree(pid, { children: true });
    say('one text after the other');
    const idle = await measureIdle(client, 100);
    say(`  answered ${idle.answered.p50.toFixed(1)} ms, completed ${idle.completed.p50.toFixed(1)} ms`);
    say(`${FILES} different files over 8 connections`);
    const { rate, whoami } = await measureThroughput(target, client);
    say(`  ${rate.toFixed(1)}/s, whoami meanwhile p99 ${whoami.p99.toFixed(1)} ms`);
    say('ingest');
    const ingest = await measureIngest(target, client);
    say(`  the same file again ${ingest.again.p50.toFixed(1)} ms`);
    say(`an upload of ${flags.large} MB`);
    const large = await measureLarge(client, pid);
    memory.stop();
    say(`  highest RSS: ${memory.parts().map(Math.round).join(' + ')} MB`);
    const figures: Figure[] = [
      { name: 'a new text of 10 kB: answered, p50', value: idle.answered.p50, unit: 'ms', goal: 15 },
      { name: 'the same: completed, p50', value: idle.completed.p50, unit: 'ms', goal: 60 },
      { name: `${FILES} different files, 8 connections, to the end`, value: rate, unit: 'requests/s', goal: 60 },
      { name: 'whoami meanwhile, p99', value: whoami.p99, unit: 'ms', goal: 60 },
      { name: 'ingest accepts', value: ingest.rate, unit: 'requests/s', goal: 300 },
      { name: 'the same file again through ingest: completed, p50', value: ingest.again.p50, unit: 'ms', goal: 40 },
      { name: `an upload of ${flags.large} MB`, value: large.rate, unit: 'MB/s', goal: 60 },
      { name: 'growth of RSS meanwhile', value: large.growth, unit: 'MB', goal: 50 },
      { name: 'RSS of all processes, idle', value: quiet, unit: 'MB', goal: 300 },
    ];
    return { figures, peak: memory.peak() };
  } finally {
    client.close();
    await program.stop();
  }
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'triad-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The parts that `--only` selects. */
const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  intake: () => inFolder(measureIntake),
  scale: () => measureScale({ ...SCALE, scanned: Math.ceil(FILES / 10), environment: ENVIRONMENT, say }),
};

const names = flags.only === undefined ? Object.keys(PARTS) : [flags.only];
const parts: Part[] = [];
for (const name of names) {
  const measure = PARTS[name];
  if (measure === undefined) {
    console.error(`--only takes ${Object.keys(PARTS).join(' or ')}, not "${name}"`);
    process.exit(2);
  }
  parts.push(await measure());
}
const peak = Math.max(...parts.map((part) => part.peak));
const figures: Figure[] = [
  ...parts.flatMap((part) => part.figures),
  { name: 'RSS of all processes, highest', value: peak, unit: 'MB', goal: 700 },
];
console.log(table(figures));
if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(figures, null, 2)}\n`);
const missed = figures.filter((figure) => !reached(figure));
console.log(`\n${figures.length - missed.length} of ${figures.length} goals reached`);
process.exitCode = missed.length === 0 ? 0 : GOAL_MISSED;
