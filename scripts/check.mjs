// Everything that has to hold for the code itself: format and lint, types, import rules, then the unit and conformance tests.
// Continues after a failure, so that one run shows all. Exit status 1 when anything failed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from './script-arguments.ts';

readArguments(
  'npm run check\n\nChecks format, lint, types and import rules, then runs the unit and conformance tests. Takes no arguments.',
  {},
);

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);

const steps = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['--noEmit']],
  ['types of the web interface', bin('tsc'), ['--noEmit', '-p', 'ui']],
  ['types of the tests in a browser', bin('tsc'), ['--noEmit', '-p', 'test/browser']],
  ['generated types of its API clients', process.execPath, ['scripts/write-ui-types.mjs', '--check']],
  ['import rules', process.execPath, ['scripts/test.mjs', 'test/architecture.test.ts']],
  ['build of the web interface', process.execPath, ['scripts/build-ui.mjs']],
  ['size budgets of the web interface', process.execPath, ['scripts/check-ui-sizes.mjs']],
  ['messages of both languages', process.execPath, ['scripts/test.mjs', 'ui/src']],
  ['unit and conformance tests', process.execPath, ['scripts/test.mjs', 'src']],
];

const failed = [];
for (const [title, program, words] of steps) {
  console.log(`\n=== ${title}`);
  const { status } = spawnSync(program, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed.push(title);
}
console.log(failed.length === 0 ? '\neverything holds' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
