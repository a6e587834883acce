import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'extensions.md'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'triad-tutorial-'));
let program: SpawnedProgram | undefined;
after(async () => {
  await program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('docs/extensions.md works as it is written', { timeout: 300_000 }, async () => {
  let output = '';
  let commands = 0;
  for (const [, language = '', content = ''] of PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === 'json') assertHolds(JSON.parse(output), JSON.parse(content), content);
    else if (language !== 'sh') writeFileSync(join(folder, fileOf(content)), content);
    else if (content.includes('npm start')) await restart(content);
    else output = run(content);
    if (language === 'sh') commands += 1;
  }
  assert.ok(commands >= 10, 'the page has commands');
});

/** Returns the path in the first line of a file of the page, `// inventory/init.ts`. */
function fileOf(content: string): string {
  const path = /^(?:\/\/|#) (\S+)$/m.exec(content)?.[1];
  assert.ok(path !== undefined, content);
  return path;
}

async function restart(command: string): Promise<void> {
  await program?.stop();
  const assignments = [...command.matchAll(/(SVC_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, here(value)]);
  const [, flags = ''] = / -- (.+)$/m.exec(command) ?? [];
  program = await spawnProgram({ environment: Object.fromEntries(assignments), flags: flags.split(' ') });
}

function run(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', here(command)], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}` },
  });
  assert.equal(status, 0, `${command}: ${stdout}${stderr}`);
  return stdout;
}

/** Replaces folder, address and npm, which would set the checkout up first, by those of the test. */
function here(command: string): string {
  return command
    .replaceAll('../extensions', folder)
    .replaceAll('http://127.0.0.1:5002', program?.addresses.enrichment ?? 'unknown')
    .replace('npm run triad --', 'node src/start.mjs');
}

/** Compares the members that the page shows. */
function assertHolds(actual: unknown, expected: unknown, shown: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, shown);
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    assertHolds((actual as Readonly<Record<string, unknown>> | undefined)?.[key], value, shown);
  }
}
