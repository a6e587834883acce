import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/testing/servers/free-port.ts';

/** Scripts of this folder; which ports beside its own each takes, and how its address begins. */
const SERVERS = {
  opensearch: { scheme: 'http', relatedPorts: [100] },
  elasticsearch6: { scheme: 'http', relatedPorts: [100] },
  elasticsearch8: { scheme: 'http', relatedPorts: [100] },
  elasticsearch9: { scheme: 'http', relatedPorts: [100] },
  redis: { scheme: 'redis', relatedPorts: [] },
  chromium: { scheme: 'http', relatedPorts: [] },
  keycloak: { scheme: 'http', relatedPorts: [1000] },
  s3: { scheme: 'http', relatedPorts: [1000, 1001, 1002, 10_000, 11_000, 11_001, 11_002] },
} as const;

export type ServerName = keyof typeof SERVERS;

export interface StartServerOptions {
  /** Default: a free one on loopback. */
  readonly port?: number;
  /** More variables for the script, such as HEAP, SECURITY, APPENDONLY. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface StartedServer {
  /** `http://127.0.0.1:<port>`, `redis://…`. The same after every start. */
  readonly url: string;
  readonly port: number;
  /** Identifier of the process and of its group. Undefined while it is stopped. */
  readonly pid: number | undefined;
  /** SIGTERM and the orderly end; resolves when it is gone. Data stays for `start`. */
  stop(): Promise<void>;
  /** SIGKILL to all its processes; resolves when they are gone. Data stays for `start`. */
  kill(): Promise<void>;
  /** Starts it again on its port and data; resolves when it answers. Does nothing while it runs. */
  start(): Promise<void>;
  /** SIGSTOP to all its processes: connections stay open and nothing answers, until `resume`. */
  freeze(): void;
  resume(): void;
  /** Ends it and removes its data. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A real server for one test, on a port and with data of its own, for tests that stop it.
 * It ends with the test process at the
 * latest. Rejects with what the script printed when it cannot be started.
 */
export async function startServer(name: ServerName, options: StartServerOptions = {}): Promise<StartedServer> {
  const port = options.port ?? (await freePort(SERVERS[name].relatedPorts));
  const folder = await mkdtemp(join(tmpdir(), `triad-${name}-`));
  // Elasticsearch is run by another user when a test is run by root.
  await chmod(folder, 0o755);
  const environment = { ...process.env, ...options.env, PORT: String(port), FOLDER: folder };
  let pid: number | undefined;
  const signal = (kind: NodeJS.Signals) => {
    if (pid !== undefined) signalGroup(pid, kind);
  };
  const endWithThisProcess = () => signal('SIGKILL');
  process.once('exit', endWithThisProcess);

  const end = async (kind: 'SIGTERM' | 'SIGKILL') => {
    if (pid === undefined) return;
    signal('SIGCONT');
    signal(kind);
    const deadline = performance.now() + 30_000;
    while (isRunning(pid)) {
      if (performance.now() > deadline) signal('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // All that is left of it: a launcher that is gone can leave its server.
    signal('SIGKILL');
    pid = undefined;
  };
  const start = async () => {
    pid ??= await runScript(name, environment);
  };
  const dispose = async () => {
    await end('SIGKILL');
    process.off('exit', endWithThisProcess);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url: `${SERVERS[name].scheme}://127.0.0.1:${port}`,
    port,
    get pid() {
      return pid;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start,
    freeze: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    [Symbol.asyncDispose]: dispose,
  };
}

/** Runs the script until the server answers; the process id that it printed. */
async function runScript(name: ServerName, environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('bash', [join(import.meta.dirname, `${name}.sh`)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A server may print escape sequences without a line break before it.
  const pid = /pid=(\d+)/.exec(printed)?.[1];
  if (status !== 0 || pid === undefined)
    throw new Error(`${name}.sh ended with status ${status}; it printed:\n${printed}`);
  return Number(pid);
}

/** To every process of the group; nothing happens when there is none. */
function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Returns false also for a process that ended and that its parent has not waited for. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
