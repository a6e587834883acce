import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const ENVIRONMENT = join(ROOT, '.venv', 'clients');
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/**
 * Path of a Python interpreter that has the pinned clients, in an environment of its own (made on first use).
 * Or the reason why there is none; with REQUIRE_PYTHON_CLIENTS=1 that is an error.
 */
export async function pythonWithClients(): Promise<{ readonly python: string } | { readonly reason: string }> {
  const found = await prepare();
  if ('reason' in found && process.env.REQUIRE_PYTHON_CLIENTS === '1') throw new Error(found.reason);
  return found;
}

async function prepare(): Promise<{ readonly python: string } | { readonly reason: string }> {
  const python = join(ENVIRONMENT, 'bin', 'python');
  if (spawnSync('python3', ['--version']).status !== 0) return { reason: 'python3 is not installed' };
  try {
    if (!existsSync(python)) await run('python3', ['-m', 'venv', ENVIRONMENT]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]);
    return { python };
  } catch (error) {
    return { reason: `the Python clients could not be installed: ${error instanceof Error ? error.message : error}` };
  }
}

/** Runs a script with arguments; the lines it printed. Rejects with both outputs when it fails. */
export async function runPython(
  python: string,
  script: string,
  ...args: readonly string[]
): Promise<readonly string[]> {
  try {
    const { stdout } = await run(python, [join(import.meta.dirname, script), ...args], { timeout: 300_000 });
    return stdout.trim().split('\n');
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${script} failed\n${stdout ?? ''}\n${stderr ?? error}`, { cause: error });
  }
}
