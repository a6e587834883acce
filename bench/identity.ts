import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { readArguments } from '../scripts/script-arguments.ts';
import type { ServiceName } from '../src/identity/actor.ts';
import { CookieJar } from '../src/testing/identity/cookie-jar.ts';
import { startIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { CREDENTIALS } from './alert-requests.ts';
import { measureRate, type Target } from './http-load.ts';
import { processorMilliseconds } from './processor-time.ts';
import {
  COMPARISON_HEAD,
  type Cost,
  comparisonRow,
  type Figure,
  GOAL_MISSED,
  markdown,
  median,
  reached,
  table,
} from './report.ts';

const HELP = `npm run bench:identity -- [--seconds 5] [--against FOLDER]

Measures what authentication costs: requests that do little else, over 8 connections, with a known access token, an API key and a session.
Prints a table; exit status 3 when a goal was missed.
  --seconds N        time of each measure
  --against FOLDER   another checkout with its packages installed: both programs are measured in turns, ten of N seconds each`;
const { values: flags } = readArguments(HELP, {
  seconds: { type: 'string', default: '5' },
  against: { type: 'string' },
});
const SECONDS = Number(flags.seconds);
const CONNECTIONS = 8;
const TURNS = 10;
/** The route of each service that identifies the caller, or that answers every accepted caller. */
const PATHS: Readonly<Record<ServiceName, string>> = {
  alerts: '/api/v1/user/whoami',
  analysis: '/api/v4/user/whoami/',
  enrichment: '/api/v1/',
};

/** A program and the figures of its turns. */
interface Side {
  readonly target: Target;
  readonly pid: number;
  readonly rates: number[];
  /** Microseconds of processor time a request. */
  readonly processor: number[];
}

const provider = await startIdentityProvider({ tokenLifetime: 3600 });
const folder = mkdtempSync(join(tmpdir(), 'triad-bench-'));
writeFileSync(
  join(folder, 'config.yml'),
  stringify({
    auth: { oauth: { enabled: true, providers: { bench: provider.settings() } } },
    audit: { to: 'file' },
  }),
);
const options = { flags: ['--demo=users'], environment: { SVC_CONF_FOLDER: folder } };
const program = await spawnProgram(options);
const other = flags.against && (await spawnProgram({ ...options, checkout: resolve(flags.against) }));
const figures: Figure[] = [];
const comparison: (readonly string[])[] = [COMPARISON_HEAD];
try {
  for (const service of ['alerts', 'analysis', 'enrichment'] as const) {
    const token = await provider.accessToken('hopper', service);
    await add(`${service}: a token seen before`, service, () => ({ authorization: `Bearer ${token}` }), 5000);
  }
  await add(
    'analysis: X-USER and X-APIKEY',
    'analysis',
    () => ({ 'x-user': 'admin', 'x-apikey': 'devkey:admin' }),
    6000,
  );
  await add('analysis: session and XSRF token', 'analysis', sessionHeaders, 6000);
  await add('alerts: API key', 'alerts', () => CREDENTIALS, 6000);
} finally {
  await program.stop();
  if (other) await other.stop();
  await provider[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()})\n`);
console.log(other ? markdown(comparison) : table(figures));
process.exitCode = other || figures.every(reached) ? 0 : GOAL_MISSED;

async function add(
  name: string,
  service: ServiceName,
  headersOf: (program: SpawnedProgram) => Target['headers'] | Promise<Target['headers']>,
  goal: number,
): Promise<void> {
  const sides: Side[] = [];
  for (const one of other ? [other, program] : [program]) {
    // The Python clients take packed answers.
    const headers = { 'accept-encoding': 'gzip', ...(await headersOf(one)) };
    const target = { base: one.addresses[service] ?? '', headers };
    // The first requests verify, compile and warm up.
    await measureRate(target, [PATHS[service]], CONNECTIONS, 2);
    sides.push({ target, pid: one.child.pid ?? 0, rates: [], processor: [] });
  }
  for (let turn = 0; turn < (other ? TURNS : 1); turn++) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      const before = processorMilliseconds(side.pid);
      const rate = await measureRate(side.target, [PATHS[service]], CONNECTIONS, SECONDS);
      side.rates.push(rate);
      side.processor.push(((processorMilliseconds(side.pid) - before) * 1000) / (rate * SECONDS));
    }
  }
  const costs = sides.map(({ rates, processor }): Cost => ({ value: median(rates), processor: median(processor) }));
  const [before, now = before] = costs;
  if (before === undefined || now === undefined) throw new Error('no figures');
  figures.push({ name: `${name}, ${CONNECTIONS} connections`, value: now.value, unit: 'requests/s', goal });
  comparison.push(comparisonRow(name, before, now, 'requests/s'));
}

/** A login by password, as a browser makes it. */
async function sessionHeaders(program: SpawnedProgram): Promise<Record<string, string>> {
  const answer = await fetch(`${program.addresses.analysis}/api/v4/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'bench' },
    body: JSON.stringify({ user: 'admin', password: 'admin' }),
  });
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}: ${await answer.text()}`);
  return { ...new CookieJar(answer).sessionHeaders, 'user-agent': 'bench' };
}
