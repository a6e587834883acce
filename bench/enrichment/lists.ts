import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpawnedProgram } from '../../src/testing/spawn-program.ts';
import { sender, type Target } from '../http-load.ts';
import { residentMegabytes, watchTree } from '../memory.ts';
import type { Figure } from '../report.ts';
import { bulkPath, oneByOne } from './lookups.ts';

const INDICATORS = 1_000_000;
const HASHES = 10_000_000;
/** Entries of each of ten lists. */
const SMALL = 10_000;
/** Lines that are made at once. */
const PART = 10_000;

export interface ListsBench {
  /** Starts the program with these lists, in a data folder of its own. */
  readonly start: (lists: readonly object[]) => Promise<SpawnedProgram>;
  readonly headers: Readonly<Record<string, string>>;
  readonly say: (text: string) => void;
}

/** Compiles a large list of indicators and one of hashes while the program serves, and asks them. */
export async function measureLists({ start, headers, say }: ListsBench): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'triad-bench-lists-'));
  try {
    say('writing lists');
    const indicators = join(folder, 'indicators.csv');
    await writeLines(indicators, INDICATORS, indicatorLine, 'value,type,confidence,tags,summary');
    const hashes = join(folder, 'hashes.txt');
    await writeLines(hashes, HASHES, hashLine);
    const small = Array.from({ length: 10 }, (_, list) => join(folder, `small-${list}.csv`));
    for (const path of small) await writeLines(path, SMALL, indicatorLine, 'value,type,confidence,tags,summary');

    const bare = await started(start, []);
    const before = residentMegabytes(bare.child.pid ?? 0);
    await bare.stop();
    say('compiling');
    const large = await started(start, [
      { name: 'indicators', format: 'csv', path: indicators, opinion: 'malicious' },
      { name: 'hashes', format: 'hashes', path: hashes, opinion: 'benign' },
    ]);
    const pid = large.child.pid ?? 0;
    const memory = watchTree(pid, { children: true });
    const began = performance.now();
    await compiled(large, headers);
    const seconds = (performance.now() - began) / 1000;
    memory.stop();
    const compiling = memory.peak() - before;
    say(`  ${JSON.stringify(memory.parts().map(Math.round))} MB`);
    const hundred = await lookupTime(large, headers, ['lists']);
    await sleep(3000);
    const after = residentMegabytes(pid) - before;
    await large.stop();
    say('ten lists');
    const lists = small.map((path, list) => ({ name: `small-${list}`, format: 'csv', path }));
    const ten = await started(start, lists);
    await compiled(ten, headers);
    const withFacts = await lookupTime(ten, headers, ['facts', 'lists']);
    const idle = residentMegabytes(ten.child.pid ?? 0) - before;
    await ten.stop();
    return [
      { name: 'lists, 1,000,000 indicators and 10,000,000 hashes: compile', value: seconds, unit: 's', goal: 150 },
      { name: 'the same: growth of RSS while compiling', value: compiling, unit: 'MB', goal: 300 },
      { name: 'the same: growth of RSS afterwards', value: after, unit: 'MB', goal: 60 },
      { name: 'the same: 100 selectors, p50', value: hundred, unit: 'ms', goal: 5 },
      { name: 'bulk, 100 selectors, facts and 10 lists: p50', value: withFacts, unit: 'ms', goal: 15 },
      { name: 'the same: growth of RSS', value: idle, unit: 'MB', goal: 60 },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function started(start: ListsBench['start'], lists: readonly object[]): Promise<SpawnedProgram> {
  const program = await start(lists);
  // Not the work of the start itself.
  await sleep(lists.length === 0 ? 3000 : 0);
  return program;
}

/** Resolves when every list is compiled. */
async function compiled(program: SpawnedProgram, headers: ListsBench['headers']): Promise<void> {
  for (;;) {
    const answer = await fetch(`${program.addresses.enrichment}/api/v1/sources`, { headers });
    const { api_response: sources } = (await answer.json()) as { api_response: readonly SourceAnswer[] };
    const lists = sources.find(({ name }) => name === 'lists')?.lists ?? [];
    const failed = lists.find(({ problem }) => problem !== undefined);
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
    if (lists.length > 0 && lists.every(({ state }) => state === 'ready')) return;
    await sleep(100);
  }
}

interface SourceAnswer {
  readonly name: string;
  readonly lists?: readonly { readonly state: string; readonly problem?: unknown }[];
}

async function lookupTime(program: SpawnedProgram, headers: ListsBench['headers'], sources: readonly string[]) {
  const target: Target = { base: program.addresses.enrichment ?? '', headers };
  const { send, close } = sender(target, 1);
  try {
    const { body } = await send('POST', bulkPath(sources), selectors(0));
    if (!body.includes('"opinion"') && !body.includes('"context"'))
      throw new Error(`nothing found: ${body.slice(0, 300)}`);
    return (await oneByOne(400, 100, (run) => send('POST', bulkPath(sources), selectors(run)))).p50;
  } finally {
    close();
  }
}

/** Bodies of 100 values, of which lists hold one in ten. */
function selectors(run: number): string {
  return JSON.stringify(
    Array.from({ length: 100 }, (_, number) => {
      const known = number % 10 === 0;
      const [value = '', type = ''] = known
        ? indicatorLine((run * 31 + number) % SMALL).split(',')
        : indicatorLine(INDICATORS * 2 + run * 100 + number).split(',');
      return { type, value };
    }),
  );
}

function indicatorLine(number: number): string {
  const rest = `0.${number % 10},campaign-${number % 500},Seen in campaign ${number % 500}`;
  switch (number % 5) {
    case 0:
    case 1:
      return `${20 + ((number >> 16) % 100)}.${(number >> 8) & 255}.${number & 255}.${number % 199},ipv4,${rest}`;
    case 2:
      return `host-${number}.example-${number % 977}.org,domain,${rest}`;
    case 3:
      return `https://host-${number}.example.net/a/${number}?q=1,url,${rest}`;
    default:
      return `${createHash('sha256').update(String(number)).digest('hex')},sha256,${rest}`;
  }
}

function hashLine(number: number): string {
  return createHash('sha1').update(String(number)).digest('hex').toUpperCase();
}

async function writeLines(path: string, count: number, lineOf: (number: number) => string, head?: string) {
  function* parts(): Generator<string> {
    if (head !== undefined) yield `${head}\n`;
    for (let start = 0; start < count; start += PART) {
      const length = Math.min(PART, count - start);
      yield `${Array.from({ length }, (_, index) => lineOf(start + index)).join('\n')}\n`;
    }
  }
  await pipeline(Readable.from(parts()), createWriteStream(path));
}
