import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '..', '..');
/** The flags of `npm start`. */
const NODE_FLAGS = ['--max-semi-space-size=16'];

export interface SpawnedProgram {
  readonly child: ChildProcess;
  readonly dataFolder: string;
  /** Addresses by listener, as the `ready` line of the log has them. */
  readonly addresses: Readonly<Record<string, string>>;
  /** `http://127.0.0.1:<port>` of the alert service. */
  readonly alerts: string;
  /** Milliseconds from the spawn to the `ready` line. */
  readonly readyAfter: number;
  /** Everything it printed so far, a line each. */
  readonly log: readonly string[];
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM and the orderly end; the exit status. Removes the data folder unless the caller gave one. */
  stop(): Promise<number | null>;
}

export interface SpawnOptions {
  /** Flags after `serve`, such as `--demo=users`. */
  readonly flags?: readonly string[];
  /** Default: a new folder, removed by `stop`. */
  readonly dataFolder?: string;
  /** Folder of the program to start. Default: this one. */
  readonly checkout?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds until the start counts as failed. Default 180,000: servers make indices for long. */
  readonly timeout?: number;
}

/**
 * Starts the real program in a process of its own, on free loopback ports; resolves when it logs
 * `ready`.
 */
export async function spawnProgram(options: SpawnOptions = {}): Promise<SpawnedProgram> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'triad-program-')));
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, join(options.checkout ?? CHECKOUT, 'src', 'start.mjs'), 'serve', ...(options.flags ?? [])],
    {
      env: { ...programEnvironment(dataFolder), ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = new Printed();
  const addresses = await readyAddresses(child, printed, options.timeout ?? 180_000);
  const alerts = addresses.alerts;
  if (alerts === undefined) throw new Error(`the ready line names no alerts address: ${JSON.stringify(addresses)}`);
  return {
    child,
    dataFolder,
    addresses,
    alerts,
    readyAfter: performance.now() - started,
    get log() {
      return printed.lines();
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      const status = await gone;
      if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
      return status;
    },
  };
}

/** Returns the environment of a program on free loopback ports. */
export function programEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    SVC_DATA_FOLDER: dataFolder,
    SVC_ALERTS_PORT: '0',
    SVC_ANALYSIS_PORT: '0',
    SVC_ENRICHMENT_PORT: '0',
    SVC_SERVICES_PORT: '0',
    SVC_WEB_PORT: '0',
  };
}

function readyAddresses(child: ChildProcess, printed: Printed, timeout: number): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      child.kill('SIGKILL');
      reject(new Error(`${reason}; it printed:\n${printed.lines().slice(-30).join('\n')}`));
    };
    const timer = setTimeout(() => fail(`the program was not ready after ${timeout} ms`), timeout);
    child.once('exit', (status) => {
      clearTimeout(timer);
      fail(`the program ended with status ${status} before it was ready`);
    });
    let ready = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed.add(text);
        // A bench's log has a million lines: they are not read once the program is ready.
        if (ready) return;
        const addresses = printed
          .lines()
          .map(addressesOf)
          .find((found) => found !== undefined);
        if (addresses === undefined) return;
        ready = true;
        clearTimeout(timer);
        resolve(addresses);
      });
    }
  });
}

/** The unparsed output of a program; splitting is deferred because few tests need it. */
class Printed {
  readonly #parts: string[] = [];

  add(text: string): void {
    this.#parts.push(text);
  }

  lines(): readonly string[] {
    return this.#parts.join('').split('\n').slice(0, -1);
  }
}

/** Returns the addresses in a `ready` line. */
function addressesOf(line: string): Record<string, string> | undefined {
  if (!line.startsWith('{') || !line.includes('"ready"')) return undefined;
  try {
    const entry = JSON.parse(line) as { msg?: string; addresses?: Record<string, string> };
    return entry.msg === 'ready' ? entry.addresses : undefined;
  } catch {
    return undefined;
  }
}
