// Builds the web interface into ui/dist, once: a second run on the same sources and packages does nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const marker = join(root, 'ui/dist/.triad-build');

/** The folders of the program that the interface imports from, as test/architecture.test.ts allows. */
const SOURCES = [
  'package-lock.json',
  'ui/*.{json,ts,html}',
  'ui/{src,public}/**/*',
  'src/{classification,documents,errors,input}/**/*.ts',
  'src/datastore/{port,query-language,regular-language}/**/*.ts',
];

const wanted = digestOf(SOURCES);
const isDone = existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
// The container image has the built interface without its sources and tools.
const isBuiltElsewhere = !existsSync(join(root, 'ui/vite.config.ts'));
if (!isDone && !isBuiltElsewhere) build();

function digestOf(patterns) {
  const hash = createHash('sha256').update(process.env.TRIAD_UI_GALLERY ?? '');
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const bytes = readOrSkip(join(root, file));
    if (bytes !== undefined) hash.update(file).update(bytes);
  }
  return hash.digest('hex');
}

/** Returns undefined for a folder. */
function readOrSkip(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === 'EISDIR') return undefined;
    throw error;
  }
}

function build() {
  console.error('Building the web interface ...');
  const started = performance.now();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn', join(root, 'ui')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error(
      '\nThe web interface could not be built; see the messages above. The services start without its pages.',
    );
    return;
  }
  writeFileSync(marker, wanted);
  console.error(`The web interface was built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
