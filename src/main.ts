import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Compiled code is kept, which makes the second start three times as fast; therefore everything else is loaded after this.
const root = join(import.meta.dirname, '..');
enableCompileCache(join(root, 'node_modules', '.cache', 'compiled'));
const [{ runCommandLine }, { createProgramLog }] = await Promise.all([
  import('./cli/run-command-line.ts'),
  import('./cli/program-log.ts'),
]);

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
    createLogger: createProgramLog,
    ending: ending.signal,
  },
  process.argv.slice(2),
);
process.exit();
