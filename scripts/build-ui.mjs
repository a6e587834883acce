// Builds the web interface into ui/dist, once: a second run on the same sources and packages does nothing.
// TRIAD_UI_FOLDER=… builds into another folder; TRIAD_UI_GALLERY=1 adds the page of all components.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = resolve(root, process.env.TRIAD_UI_FOLDER ?? 'ui/dist');
const marker = join(folder, '.triad-build');

/** Files beside the folders of sources. */
const FILES = /^(?:package-lock\.json|ui\/[^/]+\.(?:json|ts|html))$/;
/** With the folders of the program that the interface imports from, as test/architecture.test.ts allows. */
const FOLDERS = [
  'ui/src',
  'ui/public',
  ...['classification', 'documents', 'errors', 'input'].map((name) => `src/${name}`),
  ...['port', 'query-language', 'regular-language'].map((name) => `src/datastore/${name}`),
];

const wanted = digestOf(sources());
// The container image has the built interface without its sources and tools.
const isBuiltElsewhere = !existsSync(join(root, 'ui/vite.config.ts'));
if (!isBuilt() && !isBuiltElsewhere) withLock(() => isBuilt() || build());

/** Every start waits for this: patterns of `globSync` took three times as long. */
function sources() {
  const beside = [...pathsIn('.'), ...pathsIn('ui')].filter((path) => FILES.test(path));
  return [...beside, ...FOLDERS.flatMap((name) => pathsIn(name, true))].sort();
}

/** Returns the paths of what is in a folder, below it too where asked; none where it is missing. */
function pathsIn(name, isDeep = false) {
  try {
    return readdirSync(join(root, name), { recursive: isDeep }).map((file) => join(name, file));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Runs the work in one process at a time: tests build in several. The lock of a dead process does not count. */
function withLock(work) {
  const lock = `${folder}.lock`;
  mkdirSync(join(folder, '..'), { recursive: true });
  while (!taken(lock)) {
    const owner = Number(readOrSkip(lock)?.toString() ?? 0);
    if (owner > 0 && !isAlive(owner)) rmSync(lock, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function taken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isBuilt() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
}

function digestOf(files) {
  const hash = createHash('sha256').update(process.env.TRIAD_UI_GALLERY ?? '');
  for (const file of files) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const bytes = readOrSkip(join(root, file));
    if (bytes !== undefined) hash.update(file).update(bytes);
  }
  return hash.digest('hex');
}

/** Returns undefined for a folder, and for a file that is gone. */
function readOrSkip(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === 'EISDIR' || error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function build() {
  console.error('Building the web interface ...');
  const started = performance.now();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // Files of a finished build replace the former ones at once.
  const fresh = join(root, `node_modules/.cache/triad-ui-${process.pid}`);
  const words = ['build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir', join(root, 'ui')];
  const { status } = spawnSync(process.execPath, [vite, ...words], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error(
      '\nThe web interface could not be built; see the messages above. The services start without its pages.',
    );
    return;
  }
  writeFileSync(join(fresh, '.triad-build'), wanted);
  replaceBy(fresh);
  console.error(`The web interface was built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

function replaceBy(fresh) {
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}
