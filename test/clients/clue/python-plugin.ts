import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export interface PythonPluginOptions {
  /** Interpreter of `cluePython`. */
  readonly python: string;
  readonly checkout: string;
  /** Folder with `app.py`. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface PythonPlugin {
  readonly url: string;
  /** Lines that it printed. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

/** Milliseconds that a plugin may take to load, on a machine that other tests use too. */
const START_TIMEOUT = 120_000;

/**
 * Starts a plugin as its container does, with the SDK of the checkout.
 * It has one worker process and its cache in memory.
 * Resolves when it is ready. Rejects with what it printed when it ends or is not ready in time.
 */
export async function startPythonPlugin(options: PythonPluginOptions): Promise<PythonPlugin> {
  const { python, checkout, folder, environment } = options;
  const server = ['-m', 'gunicorn', '-k', 'gevent', '-w', '1', '-b', '127.0.0.1:0', '--graceful-timeout', '1'];
  const child = spawn(python, [...server, '--timeout', '120', 'app:app'], {
    cwd: folder,
    env: {
      ...process.env,
      CACHE_TYPE: 'local',
      PYTHONPATH: [join(checkout, 'api'), folder].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  let url: string | undefined;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log.push(...text.split('\n').filter((line) => line !== ''));
      url ??= /Listening at: (\S+)/.exec(text)?.[1];
    });
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
  };
  const deadline = performance.now() + START_TIMEOUT;
  while (url === undefined || !(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`the plugin of ${folder} did not start; it printed:\n${log.slice(-40).join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { url, log, stop };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz/ready`, { signal: AbortSignal.timeout(1000) });
    return answer.ok;
  } catch {
    return false;
  }
}
