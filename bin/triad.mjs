#!/usr/bin/env node
// Starts the program with the Node that the lock file pins, whatever Node runs this.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
if (!existsSync(pinned)) {
  console.error(`${pinned} is not there. Run "npm run setup" in ${root} first.`);
  process.exit(1);
}
// As "npm start": the space of young objects, see docs/operating.md.
const flags = ['--max-semi-space-size=16'];
const child = spawn(pinned, [...flags, join(root, 'src', 'start.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
// A terminal sends its signals to both processes; others send them to this one alone. The program takes a repeated one as "at once",
// so only what did not come from a terminal is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('exit', (status, signal) => {
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exitCode = status ?? 1;
});
