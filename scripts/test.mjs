// Runs the tests beside the code and in test/; see HELP.
// One line for each file when it is done, its failures with their places below it, and in the end where anything failed and the sum.
// Exit status 1 when anything failed.
// What drives a browser (test/browser) runs after everything else, a file for each core; what measures time is named *.alone.test.ts and
// comes last, one file at a time. What walks over everything there is, such as each page in each theme, stands in test/long-tests.txt: it
// runs with --long, or when it or its folder is given.
// TEST_REPEAT=1, for machines of unknown speed: up to REPEATED_AT_MOST files that failed run once more, alone, for ten minutes at most. Those that pass
// then are reported as UNSTEADY, with the failure, and do not fail the run. What kills the program (test/crash) has no second chance.
// TEST_SECONDS, for machines of unknown speed too: files that have not begun by then are left out, and the run says which.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { readArguments } from './script-arguments.ts';

const root = join(import.meta.dirname, '..');
const HELP = `npm test -- [--long] [--name PATTERN] [FILE|FOLDER ...]

Runs all tests but the long ones, or every test of the files and folders.
  --long             only the long ones (test/long-tests.txt)
  --name PATTERN     only tests whose name matches the regular expression
  TEST_REPEAT=1      runs up to twenty failed files once more; those that pass then do not fail the run
  TEST_SECONDS       leaves out files that have not begun after so many seconds, and says which
  TEST_CONCURRENCY   processes at a time; default: two more than there are cores, at most six; at most one a core in test/browser
  REQUIRE_OPENSEARCH=1, REQUIRE_ELASTICSEARCH8=1, REQUIRE_ELASTICSEARCH9=1, REQUIRE_REDIS=1
                     fail instead of skipping tests whose server is not there; test/servers starts servers`;
const { values, positionals } = readArguments(HELP, { name: { type: 'string' }, long: { type: 'boolean' } }, true);

const long = new Set(longTests());
// The longest first: short ones fill the time until the last of them ends.
const given =
  positionals.length === 0 ? ['test', 'src', 'sdk', 'ui/src'].flatMap(testsBelow) : positionals.flatMap(testsOf);
const files = positionals.length > 0 && !values.long ? given : given.filter((file) => long.has(file) === !!values.long);
if (files.length === 0) {
  console.error(`There are no tests (*.test.ts) in ${positionals.join(', ')}.`);
  process.exit(2);
}

// Each file is a process that loads much of the program: they share what is compiled.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

const REPEATED_AT_MOST = 20;
/** Milliseconds after which no further file runs once more. */
const REPEATS_AT_LONGEST = 600_000;
const LAST_START = Number(process.env.TEST_SECONDS ?? Infinity) * 1000;
const started = performance.now();
/** The failures of each file. */
const failures = new Map();
const unsteady = [];
const leftOut = [];
const skipped = new Map();
const sum = { passed: 0, skipped: 0 };

const alone = files.filter((file) => file.endsWith('.alone.test.ts'));
// Each file is a process. Half of their time is waiting: for programs that start, for servers, for times that have to pass.
const concurrency = Number(process.env.TEST_CONCURRENCY) || Math.min(6, availableParallelism() + 2);
// A browser keeps a core busy: more of them at a time than cores only make each step longer.
const inBrowser = files.filter((file) => !alone.includes(file) && file.startsWith(join(root, 'test', 'browser')));
await runFiles(
  files.filter((file) => !alone.includes(file) && !inBrowser.includes(file)),
  concurrency,
);
await runFiles(inBrowser, Math.min(concurrency, availableParallelism()));
await runFiles(alone, 1);
if (process.env.TEST_REPEAT) await repeatFailed();
printSum();

async function repeatFailed() {
  const failed = [...failures.keys()];
  if (failed.length > REPEATED_AT_MOST || failed.some((file) => relative(root, file).startsWith('test/crash'))) return;
  const end = performance.now() + REPEATS_AT_LONGEST;
  for (const file of failed) {
    if (performance.now() > end) return;
    const before = failures.get(file);
    console.log(`once more, alone: ${relative(root, file)}`);
    await runFile(file);
    if (!failures.has(file)) unsteady.push(...before);
  }
}

async function runFiles(some, processes) {
  const waiting = some.values();
  const takeTurns = async () => {
    for (const file of waiting) {
      if (performance.now() - started > LAST_START) leftOut.push(file);
      else await runFile(file);
    }
  };
  await Promise.all(Array.from({ length: processes }, takeTurns));
}

/** Runs a file in a process of its own, and prints what came of it. */
async function runFile(file) {
  const names = values.name === undefined ? {} : { testNamePatterns: [new RegExp(values.name)] };
  const execArgv = ['--import', pathToFileURL(join(import.meta.dirname, 'end-tests.mjs')).href];
  const ofFile = [];
  let printed = '';
  let summary;
  for await (const { type, data } of run({ files: [file], execArgv, ...names })) {
    if (type === 'test:stdout' || type === 'test:stderr') printed += data.message;
    else if (type === 'test:pass' || type === 'test:fail') noteResult(type === 'test:pass', data, ofFile);
    else if (type === 'test:summary' && data.file !== undefined) summary = data;
  }
  if (summary === undefined && ofFile.length === 0)
    ofFile.push({ name: 'said nothing of its tests', file, details: {} });
  if (ofFile.length === 0) failures.delete(file);
  else failures.set(file, ofFile);
  if (summary !== undefined) printFile(file, summary);
  for (const failure of ofFile) printFailure(failure);
  if (ofFile.length > 0 && printed !== '') {
    console.log(indent(`what the file printed (its end):\n${printed.slice(-4000).trimEnd()}`));
  }
}

function testsBelow(folder) {
  return globSync('**/*.test.ts', { cwd: join(root, folder) })
    .map((file) => join(root, folder, file))
    .sort();
}

function longTests() {
  const list = 'test/long-tests.txt';
  const lines = readFileSync(join(root, list), 'utf8').split('\n');
  const files = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const missing = files.find((file) => !existsSync(join(root, file)));
  if (missing === undefined) return files.map((file) => join(root, file));
  console.error(`${list} names ${missing}, which does not exist.`);
  process.exit(2);
}

function testsOf(given) {
  const path = resolve(given);
  if (!existsSync(path)) {
    console.error(`${given} does not exist.`);
    process.exit(2);
  }
  return statSync(path).isDirectory() ? testsBelow(relative(root, path)) : [path];
}

function noteResult(passed, data, ofFile) {
  if (data.skip !== undefined || data.todo !== undefined) {
    const reason = typeof data.skip === 'string' ? data.skip : 'no reason given';
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  } else if (!passed && data.details.error?.failureType !== 'subtestsFailed') ofFile.push(data);
}

function printFile(file, { success, duration_ms, counts }) {
  const failed = counts.failed + counts.cancelled;
  const left = counts.skipped + counts.todo;
  sum.passed += counts.passed;
  sum.skipped += left;
  const parts = [`${counts.passed} passed`];
  if (failed > 0) parts.push(`${failed} FAILED`);
  if (left > 0) parts.push(`${left} skipped`);
  const seconds = (duration_ms / 1000).toFixed(1);
  console.log(`${success ? 'ok  ' : 'FAIL'} ${relative(root, file)}: ${parts.join(', ')}, ${seconds} s`);
}

function printFailure(failure) {
  const error = failure.details.error?.cause ?? failure.details.error;
  console.log(`  FAIL ${failure.name}\n    at ${placeOf(failure)}`);
  console.log(indent(error?.stack ?? inspect(error)));
}

function placeOf({ file, line, column }) {
  return line === undefined ? relative(root, file) : `${relative(root, file)}:${line}:${column}`;
}

function printSum() {
  console.log('');
  for (const failure of unsteady) console.log(`UNSTEADY ${failure.name}\n  at ${placeOf(failure)}`);
  const failed = [...failures.values()].flat();
  for (const failure of failed) console.log(`FAIL ${failure.name}\n  at ${placeOf(failure)}`);
  for (const [reason, times] of skipped) console.log(`skipped ${times}: ${reason}`);
  if (leftOut.length > 0) {
    console.log(`left out after ${LAST_START / 1000} s: ${leftOut.map((file) => relative(root, file)).join(', ')}`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${sum.passed} passed, ${failed.length} failed, ${sum.skipped} skipped in ${files.length - leftOut.length} files, ${seconds} s`,
  );
  process.exitCode = failed.length > 0 || sum.passed + sum.skipped === 0 ? 1 : 0;
}

function indent(text) {
  return text.replaceAll(/^/gm, '    ');
}
