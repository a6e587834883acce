import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonWith } from './python-clients.ts';

/** Folder of the services that the recordings were made with. */
export const RECORDED_SERVICES = join(import.meta.dirname, '..', 'golden', 'analysis-services');

export interface ServiceOptions {
  /** Interpreter with the packages of services: `servicePython`. */
  readonly python: string;
  /** `http://host:port` of the protocol for services. */
  readonly url: string;
  /** Folder with the code and `service_manifest.yml`. */
  readonly folder: string;
  /** Module and class, `mini.Mini`. */
  readonly path: string;
  /** Replaces `$SERVICE_TAG` in the manifest. Default: the version of the recordings. */
  readonly tag?: string;
  /** Name of the worker. Default: a new one. */
  readonly worker?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds until the worker must ask for tasks. Default 120,000. */
  readonly timeout?: number;
}

export interface RunningService {
  /** Lines that both processes printed. */
  readonly log: readonly string[];
  /** Ends both processes at once, in the middle of a task too; they are not started again. */
  kill(): Promise<void>;
}

/** Returns an interpreter with the public packages of services, or the reason why there is none. */
export function servicePython() {
  return pythonWith(join(import.meta.dirname, 'services-requirements.txt'), 'services');
}

/**
 * Runs a worker of a service as its container does: `run_service` and `task_handler`.
 * Resolves when the worker asks for tasks. Both are started again when they end, as after the first registration.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'triad-service-'));
  const worker = new ServiceWorker(options, folder);
  try {
    await worker.asksForTasks(options.timeout ?? 120_000);
  } catch (error) {
    await worker.kill();
    throw error;
  }
  return worker;
}

/** Starts the two services of the recordings. */
export async function startRecordedServices(python: string, url: string): Promise<readonly RunningService[]> {
  const services = [
    ['mini', 'mini.Mini'],
    ['unpack', 'unpack.Unpack'],
  ] as const;
  return Promise.all(
    services.map(([name, path]) => startService({ python, url, path, folder: join(RECORDED_SERVICES, name) })),
  );
}

class ServiceWorker implements RunningService {
  readonly #options: ServiceOptions;
  readonly #folder: string;
  readonly #lines: string[] = [];
  readonly #running = new Set<ChildProcess>();
  readonly #asking: Promise<void>;
  #asks: () => void = () => undefined;
  #isEnding = false;

  constructor(options: ServiceOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#asking = new Promise((resolve) => {
      this.#asks = resolve;
    });
    void this.#run();
  }

  get log(): readonly string[] {
    return this.#lines;
  }

  async asksForTasks(longest: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const last = this.#lines.slice(-40).join('\n');
        reject(new Error(`${this.#options.path} asked for no task within ${longest} ms; it printed:\n${last}`));
      }, longest);
    });
    await Promise.race([this.#asking, late]).finally(() => clearTimeout(timer));
  }

  async kill(): Promise<void> {
    this.#isEnding = true;
    const ends = [...this.#running].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all(ends);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Starts both again when one ends, and the handler alone after the first registration. */
  async #run(): Promise<void> {
    while (!this.#isEnding) {
      const prefix = `triad-${randomUUID()}`;
      const service = this.#start('assemblyline_v4_service.run_service', prefix);
      let serviceEnded = false;
      void service.ended.then(() => {
        serviceEnded = true;
      });
      while (!this.#isEnding && !serviceEnded) {
        const handler = this.#start('assemblyline_service_client.task_handler', prefix);
        await Promise.race([handler.ended, service.ended]);
        handler.child.kill('SIGKILL');
        await handler.ended;
        // A handler that had asked for tasks leaves the service with a broken pipe.
        if (handler.hasAsked()) break;
      }
      service.child.kill('SIGKILL');
      await service.ended;
      for (const end of ['manifest.yml', 'task.fifo', 'done.fifo', 'ready']) {
        await rm(`/tmp/${prefix}_${end}`, { force: true });
      }
    }
  }

  #start(module: string, prefix: string) {
    const { python, url, folder, path, tag = '4.7.4.25', worker = prefix, environment } = this.#options;
    const child = spawn(python, ['-m', module], {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: folder,
        PYTHONUNBUFFERED: '1',
        PYTHONDONTWRITEBYTECODE: '1',
        SERVICE_PATH: path,
        SERVICE_TAG: tag,
        SERVICE_API_HOST: url,
        SERVICE_API_KEY: 'ThisIsARandomAuthKey...ChangeMe!',
        HOSTNAME: worker,
        RUNTIME_PREFIX: prefix,
        TASKING_DIR: join(this.#folder, prefix),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => {
        this.#running.delete(child);
        resolve();
      });
    });
    let hasAsked = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#lines.push(...text.split('\n').filter((line) => line !== ''));
        if (!text.includes('Requesting a task')) return;
        hasAsked = true;
        this.#asks();
      });
    }
    return { child, ended, hasAsked: () => hasAsked };
  }
}
