import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';

const LOCKED = {
  '': { name: 'project' },
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
  'node_modules/other-system': { version: '1.0.0', integrity: 'sha512-other', optional: true },
};
const { 'node_modules/one': ONE } = LOCKED;

describe('the setup', () => {
  let root = '';
  const write = (path: string, value: object) => writeFile(join(root, path), JSON.stringify(value));

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'triad-setup-'));
    await mkdir(join(root, 'scripts'));
    await mkdir(join(root, 'node_modules/.bin'), { recursive: true });
    await copyFile(join(import.meta.dirname, '../scripts/setup.mjs'), join(root, 'scripts/setup.mjs'));
    await symlink(process.execPath, join(root, 'node_modules/.bin/node'));
    await write('package-lock.json', { packages: LOCKED });
    // Stands in for npm: what it would install is in no registry.
    await writeFile(
      join(root, 'npm.js'),
      `require('node:fs').appendFileSync(${JSON.stringify(join(root, 'calls'))}, process.argv[2] + '\\n');`,
    );
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Runs the setup. Returns what it called npm for, in this and in earlier runs. */
  async function run(): Promise<string> {
    const environment = { ...process.env, npm_execpath: join(root, 'npm.js') };
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs')], {
      env: environment,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return readFile(join(root, 'calls'), 'utf8').catch(() => '');
  }

  it('installs once, and again for another lock file', async () => {
    assert.equal(await run(), 'ci\n');
    assert.equal(await run(), 'ci\n');
    await write('package-lock.json', { packages: { ...LOCKED, 'node_modules/two': ONE } });
    assert.equal(await run(), 'ci\nci\n');
  });

  it('takes over what npm install left', async () => {
    await write('node_modules/.package-lock.json', { packages: { 'node_modules/one': ONE } });
    assert.equal(await run(), '');
  });

  const others = {
    'another version': { 'node_modules/one': { ...ONE, version: '1.0.1' } },
    'other contents': { 'node_modules/one': { ...ONE, integrity: 'sha512-changed' } },
    'a package less': {},
  };
  for (const [name, packages] of Object.entries(others)) {
    it(`installs where npm install left ${name}`, async () => {
      await write('node_modules/.package-lock.json', { packages });
      assert.equal(await run(), 'ci\n');
    });
  }
});
