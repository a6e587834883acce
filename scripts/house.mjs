import { globSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments } from './script-arguments.ts';

const HELP = `npm run house -- [--list] [FOLDER]

Measures how simple the program is to read, one line for each measure with its limit. Exit status 1 when a limit is exceeded.
  --list   names the files behind each number
  FOLDER   another checkout to measure; default: this one`;
const { values: flags, positionals } = readArguments(HELP, { list: { type: 'boolean' } }, true);
const root = resolve(positionals[0] ?? join(import.meta.dirname, '..'));
const source = join(root, 'src');

const all = globSync('**/*.{ts,mjs}', { cwd: source }).filter((file) => !isTestCode(file));
const product = all.filter((file) => !file.startsWith('demo/'));
const texts = new Map(all.map((file) => [file, readFileSync(join(source, file), 'utf8')]));
const paths = await executedFiles();

const measures = [
  ['product lines', product.reduce((sum, file) => sum + linesOf(file), 0), 131_000, []],
  ['product files', product.length, 1290, []],
  ['files in the largest folder', ...largestFolder(), 22],
  ['cycles between folders', ...counted(folderCycles()), 0],
  ['cycles between files', ...counted(fileCycles()), 0],
  ['files from a POST to the row', ...counted(paths.write), 26],
  ['files from the header to the actor', ...counted(paths.actor), 14],
  ['caches in identity', ...counted(identityCaches()), 6],
  ['arguments read by hand in route files', ...counted(handReaders()), 1],
].map(([title, ...rest]) => {
  const [value, limit, list] = Array.isArray(rest[1]) ? [rest[0], rest[2], rest[1]] : rest;
  return { title, value, limit, list };
});

for (const { title, value, limit, list } of measures) {
  const verdict = value <= limit ? 'ok  ' : 'OVER';
  console.log(`${verdict} ${title}: ${value.toLocaleString('en')} (at most ${limit.toLocaleString('en')})`);
  if (flags.list) for (const line of list) console.log(`       ${line}`);
}
process.exit(measures.every(({ value, limit }) => value <= limit) ? 0 : 1);

/** Tests, and what only they use, as in test/architecture.test.ts. */
function isTestCode(file) {
  return /\.test\.ts$|^testing\/|\/conformance\/|\/conformance-[a-z-]+\.ts$/.test(file);
}

function linesOf(file) {
  return texts.get(file).split('\n').length - 1;
}

function counted(list) {
  return [list.length, list];
}

/** Counts the files directly in each folder, test tools and conformance suites included, tests not. */
function largestFolder() {
  const files = globSync('**/*.{ts,mjs}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  const sizes = new Map();
  for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  const sorted = [...sizes].sort((a, b) => b[1] - a[1]);
  return [sorted[0][1], sorted.slice(0, 5).map(([folder, size]) => `${folder}: ${size}`)];
}

/** Own imports of a file, types included: they are read too. */
function importsOf(file) {
  const found = texts.get(file).matchAll(/^(?:import|export)\b[^;'"`]*?from\s*'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm);
  return [...found].map((match) => join(dirname(file), match[1] ?? match[2])).filter((target) => texts.has(target));
}

/** Folders beside each other that import each other, also by way of third ones. Files that lie directly in the parent folder compose and are left out. */
function folderCycles() {
  const edges = new Map();
  for (const file of all) {
    for (const target of importsOf(file)) {
      const [from, to] = [file.split('/'), target.split('/')];
      const shared = from.findIndex((part, index) => part !== to[index]);
      if (from.length - 1 <= shared || to.length - 1 <= shared) continue;
      const [a, b] = [from, to].map((parts) => parts.slice(0, shared + 1).join('/'));
      edges.set(a, (edges.get(a) ?? new Set()).add(b));
    }
  }
  return cyclesOf(edges);
}

function fileCycles() {
  return cyclesOf(new Map(all.map((file) => [file, new Set(importsOf(file))])));
}

/** Strongly connected groups of more than one node. */
function cyclesOf(edges) {
  const reached = new Map();
  const reach = (node) => {
    if (reached.has(node)) return reached.get(node);
    const seen = new Set();
    reached.set(node, seen);
    for (const queue = [node]; queue.length > 0; ) {
      for (const next of edges.get(queue.pop()) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    return seen;
  };
  const groups = [];
  const done = new Set();
  for (const node of edges.keys()) {
    if (done.has(node) || !reach(node).has(node)) continue;
    const group = [...reach(node)].filter((other) => reach(other).has(node));
    for (const other of group) done.add(other);
    if (group.length > 1) groups.push(group.sort().join(' ↔ '));
  }
  return groups;
}

/** Promises under way, waiting callers and counters are no caches. */
function identityCaches() {
  return linesMatching(
    all.filter((file) => file.startsWith('identity/')),
    /new (\w*Cache|LRU\w*|RecentDocuments)\b|readonly #\w+ = new (Weak)?Map<(?!.*(Promise|number|Counted|Waiter))/,
  );
}

/**
 * Finds what reads the same argument again that the schema of the route describes: casts of requests and readers by hand.
 * Functions of a schema (`accept`) are part of it. No schema describes headers, so reading a credential is not counted.
 */
function handReaders() {
  return linesMatching(
    all.filter((file) => file.endsWith('-routes.ts')),
    /objectBody\(|readFlag\(|readRefresh\(|singleHeader\(|^(?!\s*accept: ).*isObject\((body|given|query|request)|\b(body|query|params|headers)\b as |: (unknown|Record<string, unknown>)\)|\bread[A-Z]\w*\((request\.)?(body|query)\b|Array\.isArray\((body|query)/,
  );
}

function linesMatching(files, pattern) {
  return files.flatMap((file) =>
    texts
      .get(file)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) && !/^\s*(\*|\/\/|import)/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

/**
 * Files with a function that ran. `write`: rules, documents and datastore while one alert is stored, everything warm. `actor`: what runs for
 * a key that was not seen before and neither for a public route nor for an unknown one.
 */
async function executedFiles() {
  const { startTestProgram } = await import(pathToFileURL(join(source, 'testing', 'start-test-program.ts')).href);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Workers and jobs are no part of a request.
  const program = await startTestProgram({ settings: { components: ['http'] } });
  const during = async (call) => {
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = ({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0;
    return result
      .filter(({ url, functions }) => url.includes('/src/') && functions.some(ran))
      .map(({ url }) => url.replace(/.*\/src\//, ''))
      .filter((file) => !isTestCode(file));
  };
  const alert = { 'howler.analytic': 'House', 'howler.detection': 'Walk', 'source.ip': '192.0.2.1' };
  const store = () => program.request('/api/v1/hit/', { method: 'POST', basic: 'admin:devkey:admin', json: [alert] });
  await store();
  await store();
  // Work that follows a write, off the request path, is over.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const write = (await during(store)).filter((file) => /^(alerts|datastore|documents)\//.test(file));
  const whoami = (basic) => program.request('/api/v1/user/whoami', basic === undefined ? {} : { basic });
  const answering = new Set([
    ...(await during(() => program.request('/healthz/'))),
    ...(await during(() => program.request('/api/v1/unknown'))),
  ]);
  const actor = (await during(() => whoami('user:devkey:user'))).filter(
    (file) => /^(identity|http|classification)\/|-guard\.ts$/.test(file) && !answering.has(file),
  );
  await program.close();
  return { write: write.sort(), actor: actor.sort() };
}
