// Compares what a browser loads of ui/dist (brotli) with the budgets of the web interface. Exit status 1 when one is exceeded.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { readArguments } from './script-arguments.ts';

readArguments(
  'node scripts/check-ui-sizes.mjs\n\nPrints the sizes of the built web interface beside their budgets. Takes no arguments.',
  {},
);

const KB = 1000;
const dist = join(import.meta.dirname, '..', 'ui/dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

const signIn = chunksOf(['index.html', 'src/shell/sign-in/sign-in-page.tsx', 'src/i18n/en/index.ts']);
const frame = chunksOf(['index.html', 'src/shell/application.tsx', 'src/i18n/en/index.ts']);
const list = union(frame, chunksOf(['src/features/alerts/list/alerts-page.tsx']));
const EDITOR = 'src/features/query/editor/query-editor.ts';
const editor = chunksOf([EDITOR]).difference(frame);

/** What each page loads when its first rows are drawn and the browser is idle, so that the first press finds it. */
const whenIdle = chunksOf(
  ['menu-parts', 'popover-surface', 'dialog-surface', 'tooltip/tooltip-host'].map(
    (name) => `src/design/overlays/${name}.tsx`,
  ),
);

const rows = [
  ['sign-in', sum(signIn), 120],
  ['sign-in and alert list', sum(union(signIn, list)), 260],
  ...furtherPages().map(([name, bytes]) => [`further page ${name}`, bytes, 90]),
  ['editor', sum(editor), 160],
  ['all styles', sumOf(/\.css$/), 40],
  // Readers of English and French load the subsets of their letters alone.
  ['fonts', sumOf(/^(?!.*latin-ext).*\.woff2$/), 150],
];

const idleBytes = sum(whenIdle.difference(union(signIn, list)));
console.log(`     the list when the browser is idle: ${(idleBytes / KB).toFixed(1)} kB more`);
let isExceeded = false;
for (const [name, bytes, budget] of rows) {
  const isOver = bytes > budget * KB;
  isExceeded ||= isOver;
  console.log(`${isOver ? 'OVER' : 'ok  '} ${name}: ${(bytes / KB).toFixed(1)} kB (at most ${budget})`);
}
process.exitCode = isExceeded ? 1 : 0;

/** Returns the files that the modules load at once, imports of imports included. */
function chunksOf(modules) {
  const files = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (chunk === undefined)
      throw new Error(`${key} is not an entry of ui/dist/.vite/manifest.json. Build the web interface first.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const module of modules) visit(module);
  return files;
}

/** Returns for each page what it loads beyond the list, the editor and the parts of the idle time, the largest first. */
function furtherPages() {
  const loaded = union(union(list, editor), whenIdle);
  return Object.keys(manifest)
    .filter((key) => /^src\/features\/.*-page\.tsx$/.test(key))
    .map((key) => [key.slice('src/features/'.length), sum(chunksOf([key]).difference(loaded))])
    .toSorted(([, a], [, b]) => b - a);
}

function union(one, other) {
  return one.union(other);
}

function sum(files) {
  return [...files].reduce((bytes, file) => bytes + sizeOf(file), 0);
}

function sumOf(pattern) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  return sum(new Set(files.filter((file) => pattern.test(file))));
}

/** Returns the compressed bytes; fonts are compressed in themselves. */
function sizeOf(file) {
  const path = join(dist, file);
  if (file.endsWith('.woff2')) return statSync(path).size;
  try {
    return statSync(`${path}.br`).size;
  } catch {
    return brotliCompressSync(readFileSync(path)).length;
  }
}
