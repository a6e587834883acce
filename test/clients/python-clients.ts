import { execFile, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Path of a Python interpreter that has the pinned packages of the file, in an environment of its own
 * (made on first use, with that interpreter) under that name.
 * Or the reason why there is none; with REQUIRE_PYTHON_CLIENTS=1 that is an error.
 */
export async function pythonWith(
  requirements: string,
  name: string,
  interpreter = 'python3',
): Promise<{ readonly python: string } | { readonly reason: string }> {
  const found = await prepare(requirements, join(ROOT, '.venv', name), interpreter);
  if ('reason' in found && process.env.REQUIRE_PYTHON_CLIENTS === '1') throw new Error(found.reason);
  return found;
}

async function prepare(
  requirements: string,
  environment: string,
  interpreter: string,
): Promise<{ readonly python: string } | { readonly reason: string }> {
  const python = join(environment, 'bin', 'python');
  if (spawnSync(interpreter, ['--version']).status !== 0) return { reason: `${interpreter} is not installed` };
  const wanted = hash('sha256', readFileSync(requirements));
  const marker = join(environment, '.installed');
  try {
    await oneAtATime(`${environment}.lock`, async () => {
      if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
      if (!existsSync(python)) await run(interpreter, ['-m', 'venv', environment]);
      await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
      writeFileSync(marker, wanted);
    });
    return { python };
  } catch (error) {
    return {
      reason: `the packages of ${requirements} could not be installed: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/** Milliseconds after which the lock of a process that is gone is taken over. */
const STALE_LOCK = 300_000;

/**
 * Test files run side by side, and several want the same environment: while one makes it, the others
 * wait.
 */
async function oneAtATime(lock: string, make: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const begun = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - begun > STALE_LOCK) rmSync(lock, { recursive: true, force: true });
      else await sleep(200);
    }
  }
  try {
    await make();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

export interface PythonOptions {
  /** Added to the variables of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds. Default 300,000. */
  readonly timeout?: number;
  /** Text on standard input. Default: none. */
  readonly input?: string;
}

/**
 * Runs Python with these arguments, a script's path first or `-m`; the lines it printed.
 * Rejects with both outputs when it fails.
 */
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
