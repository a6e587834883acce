// Installs what the lock file pins, once: a second run with the same lock file does nothing. Runs on any Node from 18 on and without
// packages, because it is what brings them, Node 24 included (the package `node`, which npm puts first on PATH).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const marker = join(modules, '.triad-setup');
const pinnedNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (isInstalledByNpm()) writeFileSync(marker, wanted);
if (!isDone()) {
  console.error('Installing the packages of package-lock.json ...');
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  // Where install scripts are switched off, the package `node` has not fetched its program yet.
  if (!existsSync(pinnedNode)) npm(['rebuild', 'node', '--ignore-scripts=false']);
  checkPinnedNode();
  mkdirSync(modules, { recursive: true });
  writeFileSync(marker, wanted);
}

function isDone() {
  return existsSync(marker) && readFileSync(marker, 'utf8') === wanted && existsSync(pinnedNode);
}

/** Whoever ran `npm install` before does not wait for the same packages again. */
function isInstalledByNpm() {
  const listed = join(modules, '.package-lock.json');
  if (isDone() || !existsSync(pinnedNode) || !existsSync(listed)) return false;
  const installed = JSON.parse(readFileSync(listed, 'utf8')).packages;
  return Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages).every(
    ([path, { version, integrity, optional }]) => {
      const own = installed[path];
      if (path === '' || (own === undefined && optional === true)) return true;
      return own !== undefined && own.version === version && own.integrity === integrity;
    },
  );
}

/** With the npm that runs this script, or else with the one on PATH. */
function npm(words) {
  const script = process.env.npm_execpath;
  const [program, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const { status, error } = spawnSync(program, [...first, ...words], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (status === 0) return;
  fail(
    `npm ${words.join(' ')} ${error === undefined ? `ended with status ${status}` : `could not be started: ${error.message}`}.`,
    'See its messages above. It needs the package registry; behind a proxy, set npm_config_proxy and npm_config_https_proxy.',
  );
}

function checkPinnedNode() {
  const { stdout } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  const version = (stdout ?? '').trim();
  if (version.startsWith('v24.')) return;
  fail(
    version === ''
      ? `The Node 24 of the package "node" is not in ${pinnedNode}, or does not run on ${process.platform} ${process.arch}.`
      : `${pinnedNode} is ${version}, not Node 24.`,
    'Delete node_modules and run npm run setup again. If it stays so, install Node 24 yourself and link it there.',
  );
}

function fail(problem, advice) {
  console.error(`\n${problem}\n${advice}`);
  process.exit(1);
}
