import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../scripts/script-arguments.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { benchAlert } from './alert-documents.ts';
import { CREDENTIALS, requests, someIds } from './alert-requests.ts';
import { measureLatency, type Send, sender, type Target } from './http-load.ts';
import { processorMilliseconds } from './processor-time.ts';
import { COMPARISON_HEAD, type Cost, comparisonRow, GOAL_MISSED, markdown, median } from './report.ts';

const HELP = `npm run bench:compare -- FOLDER [--alerts 20000] [--rounds 20]

Compares this program with the one of another checkout (an earlier commit, with its packages installed). Both run at the same time on the
same data and are asked in turns, a fraction of a second each, so that a busy machine slows both. Prints the median time of a request and the
processor time that the program spent on it, all threads together. Exit status 3 when a row takes more than 10 % more of both.
  --alerts N   alerts to load
  --rounds N   turns of each program in each row`;
const { values: flags, positionals } = readArguments(
  HELP,
  { alerts: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '20' } },
  true,
);
const [other] = positionals;
const ALERTS = Number(flags.alerts);
const ROUNDS = Number(flags.rounds);
if (other === undefined || positionals.length > 1 || !(ALERTS >= 1000) || !(ROUNDS >= 1)) {
  console.error(HELP);
  process.exit(2);
}
const NOW = Date.now();
const BATCH = 100;
const TOLERATED = 1.1;

/** One of the two programs. */
interface Side {
  readonly program: SpawnedProgram;
  readonly target: Target;
  ids: readonly string[];
  stored: number;
}

/** A row: what one turn asks `send`, and how many requests one turn holds over how many connections. */
interface Row {
  readonly name: string;
  readonly connections: number;
  readonly requests: number;
  ask(send: Send, side: Side, number: number): Promise<unknown>;
}

const rows: readonly Row[] = [
  { name: 'search', connections: 1, requests: 60, ask: (send) => requests.search(send) },
  { name: 'facet', connections: 1, requests: 30, ask: (send) => requests.facet(send) },
  { name: 'histogram', connections: 1, requests: 30, ask: (send) => requests.histogram(send) },
  { name: 'whoami', connections: 8, requests: 1500, ask: (send) => send('GET', '/api/v1/user/whoami') },
  {
    name: 'GET hit',
    connections: 8,
    requests: 1000,
    ask: (send, side, n) => send('GET', `/api/v1/hit/${idOf(side, n)}`),
  },
  { name: 'create', connections: 4, requests: 40, ask: (send, side) => requests.create(send, side.stored++, NOW) },
  { name: 'comment', connections: 4, requests: 40, ask: (send, side, n) => requests.comment(send, idOf(side, n), n) },
  {
    name: 'transition',
    connections: 4,
    requests: 40,
    ask: (send, side, n) => requests.transition(send, idOf(side, n)),
  },
];
const ingest: Row = {
  name: `POST hit, ${BATCH} alerts`,
  connections: 2,
  requests: Math.ceil(ALERTS / BATCH / ROUNDS),
  async ask(send, side) {
    const first = side.stored;
    side.stored += BATCH;
    const batch = Array.from({ length: BATCH }, (_, index) => benchAlert(first + index, NOW));
    await send('POST', '/api/v1/hit/', JSON.stringify(batch));
  },
};

const sides = await Promise.all([start(resolve(other)), start(undefined)]);
try {
  const lines = [await compare(ingest)];
  for (const side of sides) side.ids = await someIds(side.target);
  for (const row of rows) lines.push(await compare(row));
  console.log(markdown([COMPARISON_HEAD, ...lines]));
} finally {
  for (const { program } of sides) await program.stop();
}

async function start(checkout: string | undefined): Promise<Side> {
  const program = await spawnProgram({ flags: ['--demo=users'], ...(checkout !== undefined && { checkout }) });
  return { program, target: { base: program.alerts, headers: CREDENTIALS }, ids: [], stored: 0 };
}

function idOf(side: Side, number: number): string {
  return side.ids[number % side.ids.length] ?? '';
}

/** Runs the turns of a row; the program that begins changes with each round. */
async function compare(row: Row): Promise<readonly string[]> {
  const senders = sides.map(({ target }) => sender(target, row.connections));
  const processorTime = ({ program }: Side) => processorMilliseconds(program.child.pid ?? 0);
  const started = sides.map(processorTime);
  const latencies: number[][] = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const [side, send] = [sides[index], senders[index]?.send];
      if (side === undefined || send === undefined) continue;
      const ask = (number: number) => row.ask(send, side, round * row.requests + number);
      latencies[index]?.push((await measureLatency(row.connections, row.requests, ask)).p50);
    }
  }
  for (const { close } of senders) close();
  // Work that a program puts off, such as filling the columns, is work of this row.
  await sleep(1000);
  const [before, now] = sides.map((side, index): Cost => {
    const spent = processorTime(side) - (started[index] ?? 0);
    return { value: median(latencies[index] ?? []), processor: (spent * 1000) / (ROUNDS * row.requests) };
  });
  if (before === undefined || now === undefined) throw new Error('no figures');
  const isWorse = (figure: keyof Cost) => now[figure] > TOLERATED * before[figure];
  if (isWorse('value') && isWorse('processor')) process.exitCode = GOAL_MISSED;
  return comparisonRow(row.name, before, now, 'ms');
}
