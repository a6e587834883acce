import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../scripts/script-arguments.ts';
import { spawnProgram } from '../../src/testing/spawn-program.ts';
import { servicePython, startRecordedServices } from '../clients/analysis-services.ts';
import { clusterFixture, SLOW_SERVER_TIMEOUT } from '../cluster/cluster-fixture.ts';
import { startAnalysisProgram } from './analysis-program.ts';
import { type GoldenServer, goldenServer, isGoldenServer } from './golden-servers.ts';

const HELP = `npm run replay -- KIND FOLDER [--engine ENGINE] [--verbose]

Starts the program with everything that recorded conversations need, replays those of a folder, and ends with "N passed, M failed".
  KIND              alerts or analysis; with analysis, the two recorded services run too (Python packages from PyPI)
  FOLDER            folder with conversations (*.json), 00-setup.json among them
  --engine ENGINE   embedded (default), or a server that test/servers started: opensearch, elasticsearch8, elasticsearch9
  --verbose         a line for each conversation`;

const { values: flags, positionals } = readArguments(
  HELP,
  { engine: { type: 'string', default: 'embedded' }, verbose: { type: 'boolean', default: false } },
  true,
);
const [kind = '', folder = ''] = positionals;
const files = globSync(join(folder, '*.json')).sort();
const isEngine = flags.engine === 'embedded' || isGoldenServer(flags.engine);
if (!isEngine || (kind !== 'alerts' && kind !== 'analysis') || files.length === 0) {
  console.error(files.length === 0 ? `There are no conversations in "${folder}". See --help.` : HELP);
  process.exit(2);
}
const server = isGoldenServer(flags.engine) ? goldenServer(flags.engine) : undefined;
if (server?.unavailable !== undefined) {
  console.error(server.unavailable);
  process.exit(2);
}
process.exit(await (kind === 'alerts' ? replayAlerts(server) : replayAnalysis(server)));

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

/** Runs a replayer over the conversations; its exit status. */
function replay(replayer: string, base: string): Promise<number> {
  const verbose = flags.verbose ? ['--verbose'] : [];
  const child = spawn(process.execPath, [join(import.meta.dirname, replayer), base, ...files, ...verbose], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)));
}
