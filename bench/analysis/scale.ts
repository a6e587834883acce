import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { ANALYSIS_CREDENTIALS, AnalysisClient } from '../analysis-requests.ts';
import { watchTree } from '../memory.ts';
import { type Figure, median } from '../report.ts';
import { measureMini } from './mini.ts';
import { measureReading, READS } from './reading.ts';
import { measureSearch, SEARCHES } from './searches.ts';
import { LARGE_FILES, RESULTS_OF_LARGE_FILE } from './submission-documents.ts';

export interface ScaleOptions {
  readonly submissions: number;
  readonly results: number;
  /** Files that the real service scans one after the other; twice as many follow at once. */
  readonly scanned: number;
  /** Folder with such documents, which are stored there when it has none; undefined: a temporary one. */
  readonly folder?: string | undefined;
  /** Variables of the program. */
  readonly environment: Readonly<Record<string, string>>;
  readonly say: (text: string) => void;
}

const STARTS = 3;
/** Searches of a row with a goal, and of the others. */
const SEARCHED = 100;
const SHOWN = 20;
/** Large submissions that each route reads. */
const MAX_READ = 20;
/** Results for each of them. */
const RESULTS_PER_READ = 4000;

/** Goals of the rows in milliseconds; the other searches are for information. */
const SEARCH_GOALS: Readonly<Record<string, number>> = { submissions: 10, tag: 25, facet: 30 };
const READ_GOALS: Readonly<Record<string, number>> = { full: 120, tree: 60, summary: 80 };

/** Measures a program with many submissions and results, which are stored first. */
export async function measureScale(
  options: ScaleOptions,
): Promise<{ readonly figures: Figure[]; readonly peak: number }> {
  const { submissions, results, say } = options;
  const dataFolder = options.folder ?? mkdtempSync(join(tmpdir(), 'triad-bench-'));
  try {
    const [many, more] = [submissions.toLocaleString('en'), results.toLocaleString('en')];
    if (!existsSync(join(dataFolder, 'documents.sqlite'))) {
      say(`storing ${many} submissions with ${more} results`);
      // The first start stores the users of the demo, which it does in an empty folder alone.
      await (await start(dataFolder, options)).stop();
      await seed(dataFolder, { submissions, results, large: READS.length * readsOf(results) });
    }
    const starts: number[] = [];
    let program = await start(dataFolder, options);
    for (starts.push(program.readyAfter); starts.length < STARTS; starts.push(program.readyAfter)) {
      await program.stop();
      program = await start(dataFolder, options);
    }
    say(`  ready after ${starts.map((time) => (time / 1000).toFixed(2)).join(', ')} s`);
    const memory = watchTree(program.child.pid ?? 0, { children: true });
    try {
      const figures = await measureRunning(program, options);
      const ready = {
        name: `ready after start (${many} submissions)`,
        value: median(starts) / 1000,
        unit: 's',
        goal: 2,
      } as const;
      say(`  highest RSS: ${memory.parts().map(Math.round).join(' + ')} MB`);
      return { figures: [...figures, ready], peak: memory.peak() };
    } finally {
      memory.stop();
      await program.stop();
    }
  } finally {
    if (options.folder === undefined) rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function measureRunning(
  program: SpawnedProgram,
  { submissions, results, scanned, say }: ScaleOptions,
): Promise<Figure[]> {
  const [many, more] = [submissions.toLocaleString('en'), results.toLocaleString('en')];
  const client = new AnalysisClient({ base: program.addresses.analysis ?? '', headers: ANALYSIS_CREDENTIALS }, 8);
  const figures: Figure[] = [];
  const names: Readonly<Record<string, string>> = {
    submissions: `search/submission, 2 filters, newest 25, total; p50 (${many})`,
    tag: `search/result on a tag, p50 (${more})`,
    facet: `facet of results, p50 (${more})`,
  };
  try {
    for (const name of Object.keys(SEARCHES)) {
      const goal = SEARCH_GOALS[name];
      const { p50, p99 } = await measureSearch(client, name, goal === undefined ? SHOWN : SEARCHED);
      say(`  ${name}, p50/p99: ${p50.toFixed(1)}/${p99.toFixed(1)} ms`);
      if (goal !== undefined) figures.push({ name: names[name] ?? name, value: p50, unit: 'ms', goal });
    }
    const size = `${LARGE_FILES} files, ${LARGE_FILES * RESULTS_OF_LARGE_FILE} results`;
    const reads = readsOf(results);
    for (const [number, what] of READS.entries()) {
      const { p50, p99 } = await measureReading(client, what, number * reads, reads);
      say(`  ${what} of ${size}, p50/p99: ${p50.toFixed(1)}/${p99.toFixed(1)} ms`);
      const goal = READ_GOALS[what];
      if (goal !== undefined) figures.push({ name: `${what} of ${size}, p50 cold`, value: p50, unit: 'ms', goal });
    }
    const mini = await measureMini(client, program.addresses.services ?? '', scanned);
    if (mini === undefined) say('  Mini is not measured: there is no Python with the packages of services');
    else {
      say(`  Mini: completed ${mini.completed.p50.toFixed(1)} ms, ${mini.rate.toFixed(1)}/s`);
      figures.push({
        name: 'the service Mini, one worker: completed, p50',
        value: mini.completed.p50,
        unit: 'ms',
        goal: 130,
      });
      figures.push({ name: 'the same: throughput', value: mini.rate, unit: 'requests/s', goal: 11 });
    }
    return figures;
  } finally {
    client.close();
  }
}

function readsOf(results: number): number {
  return Math.max(1, Math.min(MAX_READ, Math.floor(results / RESULTS_PER_READ)));
}

function start(dataFolder: string, { environment }: ScaleOptions): Promise<SpawnedProgram> {
  return spawnProgram({ flags: ['--demo=users'], dataFolder, environment });
}

/** Stores the documents from a process of its own, whose memory is free again afterwards. */
async function seed(folder: string, counts: Readonly<Record<string, number>>): Promise<void> {
  const given = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)]);
  const script = join(import.meta.dirname, 'seed.ts');
  const child = spawn(process.execPath, [script, '--folder', folder, ...given], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`The documents were not stored: ${script} ended with ${status}.`);
}
