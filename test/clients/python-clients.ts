import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Path of a Python interpreter that has the pinned packages of the file, in an environment of its own (made on first use) under that name.
 * Or the reason why there is none; with REQUIRE_PYTHON_CLIENTS=1 that is an error.
 */
export async function pythonWith(
  requirements: string,
  name: string,
): Promise<{ readonly python: string } | { readonly reason: string }> {
  const found = await prepare(requirements, join(ROOT, '.venv', name));
  if ('reason' in found && process.env.REQUIRE_PYTHON_CLIENTS === '1') throw new Error(found.reason);
  return found;
}

async function prepare(
  requirements: string,
  environment: string,
): Promise<{ readonly python: string } | { readonly reason: string }> {
  const python = join(environment, 'bin', 'python');
  if (spawnSync('python3', ['--version']).status !== 0) return { reason: 'python3 is not installed' };
  try {
    if (!existsSync(python)) await run('python3', ['-m', 'venv', environment]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
    return { python };
  } catch (error) {
    return {
      reason: `the packages of ${requirements} could not be installed: ${error instanceof Error ? error.message : error}`,
    };
  }
}

export interface PythonOptions {
  /** Added to the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds. Default 300,000. */
  readonly timeout?: number;
  /** What it reads from standard input. Default: nothing. */
  readonly input?: string;
}

/** Runs Python with these arguments, a script's path first or `-m`; the lines it printed. Rejects with both outputs when it fails. */
export async function runPython(
  python: string,
  args: readonly string[],
  { environment = {}, timeout = 300_000, input = '' }: PythonOptions = {},
): Promise<readonly string[]> {
  try {
    const env = { ...process.env, ...environment };
    const running = run(python, [...args], { timeout, env, maxBuffer: 64 * 1024 * 1024 });
    running.child.stdin?.end(input);
    const { stdout } = await running;
    return stdout.trim().split('\n');
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args[0] === '-m' ? args[1] : args[0]} failed\n${stdout ?? ''}\n${stderr ?? error}`, {
      cause: error,
    });
  }
}
