import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readArguments } from '../scripts/script-arguments.ts';
import type { ServiceName } from '../src/identity/actor.ts';
import { CookieJar } from '../src/testing/identity/cookie-jar.ts';
import { startIdentityProvider } from '../src/testing/identity/identity-provider.ts';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { measureRate, type Target } from './http-load.ts';
import { type Figure, GOAL_MISSED, reached, table } from './report.ts';

const HELP = `npm run bench:identity -- [--seconds 5]

Measures what authentication costs: requests that do little else, over 8 connections, with a known access token, an API key and a session.
Prints a table; exit status 3 when a goal was missed.
  --seconds N   time of each measure`;
const { values: flags } = readArguments(HELP, { seconds: { type: 'string', default: '5' } });
const SECONDS = Number(flags.seconds);
const CONNECTIONS = 8;
/** The route of each service that identifies the caller, or that answers every accepted caller. */
const PATHS: Readonly<Record<ServiceName, string>> = {
  alerts: '/api/v1/user/whoami',
  analysis: '/api/v4/user/whoami/',
  enrichment: '/api/v1/',
};

const provider = await startIdentityProvider({ tokenLifetime: 3600 });
const folder = mkdtempSync(join(tmpdir(), 'triad-bench-'));
writeFileSync(
  join(folder, 'config.yml'),
  stringify({
    auth: { oauth: { enabled: true, providers: { bench: provider.settings() } } },
    audit: { to: 'file' },
  }),
);
const program = await spawnProgram({ flags: ['--demo=users'], environment: { SVC_CONF_FOLDER: folder } });
const figures: Figure[] = [];
try {
  for (const service of ['alerts', 'analysis', 'enrichment'] as const) {
    const token = await provider.accessToken('hopper', service);
    await add(`${service}: a token seen before`, service, { authorization: `Bearer ${token}` }, 5000);
  }
  await add('analysis: X-USER and X-APIKEY', 'analysis', { 'x-user': 'admin', 'x-apikey': 'devkey:admin' }, 6000);
  await add('analysis: session and XSRF token', 'analysis', await sessionHeaders(), 6000);
  await add('alerts: API key', 'alerts', { authorization: `Basic ${btoa('admin:devkey:admin')}` }, 6000);
} finally {
  await program.stop();
  await provider[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()})\n`);
console.log(table(figures));
process.exitCode = figures.every(reached) ? 0 : GOAL_MISSED;

async function add(name: string, service: ServiceName, headers: Target['headers'], goal: number): Promise<void> {
  // The Python clients take packed answers.
  const target = { base: program.addresses[service] ?? '', headers: { 'accept-encoding': 'gzip', ...headers } };
  // The first requests verify, compile and warm up.
  await measureRate(target, [PATHS[service]], CONNECTIONS, 2);
  const value = await measureRate(target, [PATHS[service]], CONNECTIONS, SECONDS);
  figures.push({ name: `${name}, ${CONNECTIONS} connections`, value, unit: 'requests/s', goal });
}

/** A login by password, as a browser makes it. */
async function sessionHeaders(): Promise<Record<string, string>> {
  const answer = await fetch(`${program.addresses.analysis}/api/v4/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'bench' },
    body: JSON.stringify({ user: 'admin', password: 'admin' }),
  });
  if (answer.status !== 200) throw new Error(`the login answered ${answer.status}: ${await answer.text()}`);
  return { ...new CookieJar(answer).sessionHeaders, 'user-agent': 'bench' };
}
