import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

const SDK = join(import.meta.dirname, '..');
const ROOT = join(SDK, '..', '..');

function run(program: string, words: readonly string[], cwd: string): string {
  // Tests inside of tests would report to this one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

it('the packed SDK serves a plugin of "triad plugin new" in an empty folder', { timeout: 120_000 }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'triad-sdk-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  run('npm', ['pack', SDK, '--pack-destination', folder], folder);
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  assert.ok(archive !== undefined);
  run(process.execPath, [join(ROOT, 'src', 'start.mjs'), 'plugin', 'new', 'ports', '--into', folder], folder);
  const plugin = join(folder, 'ports');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, archive)], plugin);
  const installed = readdirSync(join(plugin, 'node_modules', 'triad-plugin', 'src'));
  assert.ok(!installed.some((file) => file.endsWith('.test.ts')), 'tests are not packed');
  run(join(ROOT, 'node_modules', '.bin', 'tsc'), CHECK, plugin);
  const output = run(process.execPath, ['--test'], plugin);
  assert.match(output, /pass 3/);
});

/** Flags that type-check the JavaScript of the plugin by the declarations of the installed SDK. */
const CHECK = [
  ...[
    '--noEmit',
    '--checkJs',
    '--allowJs',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'esnext',
  ],
  ...['--skipLibCheck', '--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node'],
  ...['plugin.js', 'start.js', 'plugin.test.js'],
];
