import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommandLine } from '../../cli/command-line.ts';
import { createMigrateCommand } from '../../cli/migrate-command.ts';
import { createProgramLog } from '../../cli/program-log.ts';
import { runDocument } from './migration-runs.ts';

/**
 * Runs `triad migrate` with test migrations, for tests that run it in several processes.
 * Each run stores a document. The migration `gated` prints `inside` and continues when the file of TEST_GATE exists.
 */
const command = createMigrateCommand(
  ['brief', 'gated'].map((id) => ({
    id,
    title: 'Test',
    load: async () => async (context) => {
      const runs = context.datastore.collection(runDocument);
      const run_id = randomUUID();
      await runs.save(run_id, { run_id, migration: id }, { visible: 'now' });
      if (id === 'brief') return 1;
      process.stdout.write('inside\n');
      while (!existsSync(process.env.TEST_GATE ?? '')) {
        context.signal.throwIfAborted();
        await pause(20);
      }
      return 1;
    },
  })),
);

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort(signal));
const request = readCommandLine([command], ['migrate', ...process.argv.slice(2)]);
if (request.kind !== 'run') throw new Error('this is not a command line of a run');
process.exitCode = await command.run(
  {
    environment: process.env,
    version: 'test',
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    input: process.stdin,
    interactive: false,
    errorStream: process.stderr,
    terminal: false,
    createLogger: createProgramLog,
    ending: ending.signal,
  },
  request.flags,
  request.argument,
);
process.exit();
