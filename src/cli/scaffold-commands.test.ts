import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { extensionFolder } from '../testing/extension-folder.ts';
import { SCAFFOLD_COMMANDS } from './scaffold-commands.ts';

const COMPILER = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsc');

async function write(kind: string, name: string, into: string | undefined): Promise<readonly string[]> {
  const lines: string[] = [];
  const context = { print: (line: string) => void lines.push(line) } as unknown as Parameters<
    (typeof SCAFFOLD_COMMANDS)[number]['run']
  >[0];
  const command = SCAFFOLD_COMMANDS.find((one) => one.name === `${kind} new`);
  assert.equal(await command?.run(context, into === undefined ? {} : { into: [into] }, name), 0);
  return lines;
}

describe('triad extension new', () => {
  it('writes an extension that type-checks outside the repository', async (context) => {
    const folder = extensionFolder(context, {});
    const [first] = await write('extension', 'inventory', folder);
    assert.equal(first, `${join(folder, 'inventory')} is written.`);
    assert.match(readFileSync(join(folder, 'inventory', 'manifest.yml'), 'utf8'), /^name: inventory$/m);
    const { status, stdout } = spawnSync(COMPILER, ['--noEmit'], { cwd: join(folder, 'inventory'), encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  it('refuses a folder that is there, unusable names and a missing flag, and writes nothing', async (context) => {
    const folder = extensionFolder(context, { there: {} });
    await assert.rejects(write('extension', 'there', folder), /is there already/);
    for (const name of ['../x', 'Upper', '', 'a b'])
      await assert.rejects(write('extension', name, folder), /is not a name/);
    await assert.rejects(write('extension', 'x', undefined), /needs --into/);
    assert.ok(!existsSync(join(folder, 'x')));
  });
});
