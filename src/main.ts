import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgramLog } from './cli/program-log.ts';
import { runCommandLine } from './cli/run-command-line.ts';

// Started by start.mjs.
// Data folders and what is in them are for this user alone: databases and libraries make files with the mode that the mask leaves.
process.umask(0o077);
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The second signal ends the process at once, as people expect who press Ctrl-C again.
  process.once(signal, () => ending.abort(signal));
}

process.exitCode = await runCommandLine(
  {
    environment: process.env,
    version,
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    input: process.stdin,
    interactive: process.stdin.isTTY === true,
    errorStream: process.stderr,
    terminal: process.stdout.isTTY === true,
    createLogger: createProgramLog,
    ending: ending.signal,
  },
  process.argv.slice(2),
);
process.exit();
