import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

export interface BrokenAdapter {
  /** The defect of the adapter. */
  readonly fault: string;
  /** The area of the suite, and the test in it, that has to notice. */
  readonly area: string;
  readonly noticedBy: string;
}

export interface BrokenAdapterRun {
  /** Full names, `suite > test`, of the tests that failed. */
  readonly failed: readonly string[];
  readonly passed: number;
  /** All that the run printed, for the message of a failed assertion. */
  readonly output: string;
}

/**
 * Registers a test for each broken adapter: the suite that `script` registers on it has to fail at the
 * test that is named, and not altogether.
 */
export function expectToNotice(script: URL, broken: Readonly<Record<string, BrokenAdapter>>): void {
  for (const [name, { fault, area, noticedBy }] of Object.entries(broken)) {
    it(`fails when ${fault}`, async () => {
      const { failed, passed, output } = await runBrokenAdapter(script, name, `: ${area} `);
      assert.ok(
        failed.some((test) => test.endsWith(` > ${noticedBy}`)),
        output,
      );
      assert.ok(passed > 0, `nothing passes, so it failed for another reason:\n${output}`);
    });
  }
}

/**
 * Runs `script` (which registers a conformance suite on the broken adapter that its first argument
 * names) in a process of its own and tells what failed there. `only` limits the run to tests whose full name matches.
 */
export async function runBrokenAdapter(script: URL, brokenAdapter: string, only?: string): Promise<BrokenAdapterRun> {
  // With this variable Node takes the child for a test file that reports to a parent, and its exit status says nothing.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const child = spawn(process.execPath, ['--test-reporter=tap', ...pattern, fileURLToPath(script), brokenAdapter], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { ...readTap(output), output };
}

/**
 * Leaves of nested TAP:
 * `# Subtest: name` opens a level, `ok`/`not ok` at the same indentation closes it.
 */
function readTap(output: string): { failed: string[]; passed: number } {
  const open: { readonly indentation: number; readonly name: string; leaf: boolean }[] = [];
  const failed: string[] = [];
  let passed = 0;
  for (const line of output.split('\n')) {
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest !== null) {
      const parent = open.at(-1);
      if (parent !== undefined) parent.leaf = false;
      open.push({ indentation: subtest[1]?.length ?? 0, name: subtest[2] ?? '', leaf: true });
      continue;
    }
    const result = /^( *)(not ok|ok) \d+ - .*$/.exec(line);
    if (result === null || open.at(-1)?.indentation !== result[1]?.length) continue;
    const path = open.map(({ name }) => name).join(' > ');
    if (open.pop()?.leaf !== true) continue;
    if (result[2] === 'ok') passed += 1;
    else failed.push(path);
  }
  return { failed, passed };
}
