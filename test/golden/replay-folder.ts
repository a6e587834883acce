import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readArguments } from '../../scripts/script-arguments.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { servicePython, startRecordedServices } from '../clients/analysis-services.ts';
import { clusterFixture, SLOW_SERVER_TIMEOUT } from '../cluster/cluster-fixture.ts';
import { startAnalysisProgram } from './analysis-program.ts';
import { openRecordedFixture } from './enrichment-program.ts';
import { type GoldenServer, goldenServer, isGoldenServer } from './golden-servers.ts';

const HELP = `npm run replay -- KIND FOLDER [--engine ENGINE] [--verbose]

Starts the program with everything that recorded conversations need, replays those of a folder, and ends with "N passed, M failed".
  KIND              alerts, analysis or enrichment; with analysis, the two recorded services run too (Python packages from PyPI),
                    with enrichment the scripted plugins and the scripted identity provider
  FOLDER            folder with conversations (*.json), 00-setup.json among them
  --engine ENGINE   embedded (default), or a server that test/servers started: opensearch, elasticsearch8, elasticsearch9
  --profile PROFILE configuration of enrichment: first (default), or second for conversations-b
  --verbose         a line for each conversation`;

const { values: flags, positionals } = readArguments(
  HELP,
  {
    engine: { type: 'string', default: 'embedded' },
    profile: { type: 'string', default: 'first' },
    verbose: { type: 'boolean', default: false },
  },
  true,
);
const [kind = '', folder = ''] = positionals;
const files = globSync(join(folder, '*.json')).sort();
const isEngine = flags.engine === 'embedded' || isGoldenServer(flags.engine);
const isKind = ['alerts', 'analysis', 'enrichment'].includes(kind);
const isProfile = flags.profile === 'first' || flags.profile === 'second';
if (!isEngine || !isKind || !isProfile || files.length === 0) {
  console.error(files.length === 0 ? `There are no conversations in "${folder}". See --help.` : HELP);
  process.exit(2);
}
const server = isGoldenServer(flags.engine) ? goldenServer(flags.engine) : undefined;
if (server?.unavailable !== undefined) {
  console.error(server.unavailable);
  process.exit(2);
}
const REPLAYS = { alerts: replayAlerts, analysis: replayAnalysis, enrichment: replayEnrichment };
process.exit(await REPLAYS[kind as keyof typeof REPLAYS](server));

async function replayAlerts(engine: GoldenServer | undefined): Promise<number> {
  const fixture = engine && clusterFixture(engine.vendor, engine.url);
  const program = await spawnProgram({
    flags: ['--demo=users'],
    ...(fixture === undefined ? {} : { environment: fixture.environment }),
  });
  try {
    return await replay('replay.mjs', program.alerts);
  } finally {
    await program.stop();
    await fixture?.clear();
  }
}

async function replayAnalysis(engine: GoldenServer | undefined): Promise<number> {
  const found = await servicePython();
  if ('reason' in found) throw new Error(found.reason);
  const fixture = engine && clusterFixture(engine.vendor, engine.url);
  const program = await startAnalysisProgram({
    'analysis.analyzers.enabled': 'none',
    ...(engine === undefined || fixture === undefined
      ? {}
      : {
          'datastore.type': engine.vendor,
          'datastore.hosts': engine.url,
          'datastore.index_prefix': fixture.prefix,
          'datastore.transport_timeout': SLOW_SERVER_TIMEOUT,
        }),
  });
  const services = await startRecordedServices(found.python, program.addresses.services ?? '');
  try {
    return await replay('replay-analysis.mjs', program.urls.analysis);
  } finally {
    await Promise.all(services.map((one) => one.kill()));
    await program.close();
    await fixture?.clear();
  }
}

/** Replays copies of the conversations that name the servers of this run instead of the recorded ones. */
async function replayEnrichment(): Promise<number> {
  const fixture = await openRecordedFixture(flags.profile === 'second' ? 'second' : 'first');
  const copies = mkdtempSync(join(tmpdir(), 'triad-replay-'));
  const program = await fixture.startProgram();
  try {
    const relocated = files.map((file) => {
      const copy = join(copies, basename(file));
      writeFileSync(copy, fixture.relocate(readFileSync(file, 'utf8')));
      return copy;
    });
    return await replay('replay-enrichment.mjs', program.urls.enrichment, [...relocated, `--idp=${fixture.provider}`]);
  } finally {
    await program.close();
    await fixture[Symbol.asyncDispose]();
    rmSync(copies, { recursive: true });
  }
}

/** Runs a replayer over the conversations; its exit status. */
function replay(replayer: string, base: string, parameters: readonly string[] = files): Promise<number> {
  const verbose = flags.verbose ? ['--verbose'] : [];
  const child = spawn(process.execPath, [join(import.meta.dirname, replayer), base, ...parameters, ...verbose], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)));
}
