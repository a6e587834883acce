import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Events, Tables } from '../../../coordination/coordination.ts';
import type { Workers } from '../../../coordination/queue-worker.ts';
import { RateLimitedLogger } from '../../../coordination/rate-limited-logger.ts';
import { untilAvailable } from '../../../coordination/while-available.ts';
import type { Service } from '../../../documents/kinds/analysis/service.ts';
import { isTriadError, isUnavailable, messageOf } from '../../../errors/errors.ts';
import type { FileStorage } from '../../../file-storage/file-storage.ts';
import type { Log } from '../../../http/request-log.ts';
import type { Task, TaskOutcome, TaskReceipt } from '../../dispatching/task.ts';
import type { CacheUser } from '../../results/result-cache.ts';
import { receiptOf } from '../../results/result-summary.ts';
import { SERVICE_EVENTS, type ServiceChange } from '../../services/service-registry.ts';
import type { AnalyzerRequest } from '../analyzer.ts';
import { type AnalyzerManifest, BUILT_IN_IMAGE } from '../manifest.ts';
import { AnalyzerFailure, type AnalyzerLimits, type AnalyzerProcess } from './analyzer-process.ts';
import { AnalyzerTasks, type AnalyzerTasksDependencies } from './analyzer-tasks.ts';
import { AnalyzerTotals } from './analyzer-totals.ts';
import type { StoredOutput } from './output-files.ts';
import { ProcessPool } from './process-pool.ts';

export interface AnalyzerHostDependencies {
  /** Manifests of the analyzers that run here. */
  readonly analyzers: readonly AnalyzerManifest[];
  /** Names of the others. They are switched off, so that no submission waits for them. */
  readonly unused?: readonly string[];
  readonly registry: {
    get(name: string): Promise<Service | undefined>;
    register(manifest: unknown, options: { readonly origin: 'built_in' }): Promise<unknown>;
    select(name: string, version: string): Promise<void>;
    setEnabled(name: string, enabled: boolean): Promise<void>;
  };
  readonly events: Pick<Events, 'subscribe'>;
  readonly tables: Pick<Tables, 'put' | 'take'>;
  readonly dispatcher: AnalyzerTasksDependencies['dispatcher'] & {
    finish(receipt: TaskReceipt, outcome: TaskOutcome): Promise<unknown>;
  };
  /** Takes results as from the service protocol. */
  readonly intake: {
    finish(task: Task, result: unknown, options: { readonly freshen: boolean }): Promise<unknown>;
    fail(task: Task, error: unknown): Promise<unknown>;
    /** Returns the outcome of a task whose result is stored already. */
    cached(task: Task, service: CacheUser): Promise<TaskOutcome | undefined>;
  };
  readonly storage: Pick<FileStorage, 'open'>;
  readonly output: {
    store(
      task: Task,
      folder: string,
      lists: { readonly extracted: unknown; readonly supplementary: unknown },
    ): Promise<StoredOutput>;
  };
  readonly log: Log;
  /** Processes at a time. Default: one a core. */
  readonly processes?: number;
  /** Folder for the folders of the processes. Default: that of the system for temporary files. */
  readonly folder?: string;
}

const MEGABYTE = 1_048_576;
/** Bytes of memory that a process needs without any file. */
const BASE_MEMORY = 128 * MEGABYTE;
/** Milliseconds between attempts to register. */
const RETRY = 2000;
/** Milliseconds that running tasks have to end when the program does. */
const STOP_TIME = 5000;
/** Milliseconds that a task waits for the datastore, coordination or file storage. */
const PATIENCE = 60_000;
const FOLDER = 'triad-analyzers-';
/** Table of analyzers that the setting switched off. */
const SWITCHED_OFF = 'analyzers-switched-off';

/**
 * Runs the built-in analyzers, each as a service like those of the protocol.
 * They are registered, switched off and configured in the same way, and take their tasks from the same queues. Their code
 * runs in child processes alone.
 */
export class AnalyzerHost implements Workers {
  readonly totals = new AnalyzerTotals();
  readonly #dependencies: AnalyzerHostDependencies;
  readonly #failures: RateLimitedLogger;
  readonly #stopping = new AbortController();
  /** Registered analyzers whose place no other service took. */
  readonly #own = new Map<string, AnalyzerManifest>();
  readonly #tasks: AnalyzerTasks;
  #folder: string | undefined;
  #pool: ProcessPool | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(dependencies: AnalyzerHostDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
    this.#tasks = new AnalyzerTasks({
      dispatcher: dependencies.dispatcher,
      services: () => this.#enabled(),
      worker: `${hostname()}:${process.pid}`,
      failed: (err) => this.#failures.warn({ err }, 'no tasks for built-in analyzers could be had'),
    });
  }

  /** Processes that run now. */
  get processes(): number {
    return this.#pool?.size ?? 0;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends all processes. Tasks that run are given a moment, then left to be given out again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#tasks.stop();
    await Promise.race([this.#running, sleep(STOP_TIME, undefined, { ref: false })]);
    await this.#pool?.stop();
    await this.#running;
    await this.#unsubscribe?.();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    const { analyzers, unused = [], processes = availableParallelism(), folder = tmpdir() } = this.#dependencies;
    for (const name of unused) await this.#untilDone(`switch ${name} off`, () => this.#switchOff(name));
    if (analyzers.length === 0) return;
    try {
      await removeLeftFolders(folder);
      this.#folder = await mkdtemp(join(folder, `${FOLDER}${process.pid}-`));
    } catch (err) {
      this.#dependencies.log.error({ err, folder }, 'built-in analyzers do not run: their folder cannot be written');
      return;
    }
    const pool = new ProcessPool({ folder: this.#folder });
    this.#pool = pool;
    const { events } = this.#dependencies;
    await this.#untilDone('subscribe to changes of services', async () => {
      this.#unsubscribe = await events.subscribe(SERVICE_EVENTS, (_channel, change) => {
        void this.#onChange(change as ServiceChange);
      });
    });
    for (const manifest of analyzers) {
      await this.#untilDone(`register the analyzer ${manifest.name}`, () => this.#register(manifest));
    }
    await Promise.all(Array.from({ length: processes }, () => this.#keepRunning(pool)));
  }

  async #untilDone(what: string, attempt: () => Promise<void>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        return await attempt();
      } catch (err) {
        this.#failures.warn({ err }, `could not ${what}; it is repeated`);
        await sleep(RETRY, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #register(manifest: AnalyzerManifest): Promise<void> {
    const { registry, tables } = this.#dependencies;
    const { name, version } = manifest;
    const before = await registry.get(name);
    if (before !== undefined && !isBuiltIn(before)) {
      this.#reportReplaced(name, before.version);
      return;
    }
    await registry.register(manifest, { origin: 'built_in' });
    if ((await tables.take(SWITCHED_OFF, name)) !== undefined) await registry.setEnabled(name, true);
    if (before !== undefined && before.version !== version) await registry.select(name, version);
    this.#own.set(name, manifest);
  }

  /** Remembers that it was the setting, not an administrator, that switched the analyzer off. */
  async #switchOff(name: string): Promise<void> {
    const { registry, tables, log } = this.#dependencies;
    const service = await registry.get(name);
    if (service === undefined || !service.enabled || !isBuiltIn(service)) return;
    await tables.put(SWITCHED_OFF, name, true);
    await registry.setEnabled(name, false);
    log.info({ service: name }, `the built-in analyzer ${name} is switched off by analysis.analyzers.enabled`);
  }

  /** A service that registers over the protocol takes the place of the built-in one of its name. */
  async #onChange({ name, origin, version }: ServiceChange): Promise<void> {
    if (origin !== 'protocol' || version === undefined || !this.#own.has(name)) return;
    this.#own.delete(name);
    this.#reportReplaced(name, version);
    await this.#untilDone(`select the version of ${name}`, () => this.#dependencies.registry.select(name, version));
  }

  #reportReplaced(name: string, version: string): void {
    const message = `the built-in analyzer ${name} does not run: a service of this name is registered over the protocol`;
    this.#dependencies.log.info({ service: name, version }, message);
  }

  async #enabled(): Promise<readonly AnalyzerManifest[]> {
    const services = await Promise.all([...this.#own.keys()].map((name) => this.#dependencies.registry.get(name)));
    const enabled = new Set(services.flatMap((one) => (one?.enabled && isBuiltIn(one) ? [one.name] : [])));
    return [...this.#own.values()].filter(({ name }) => enabled.has(name));
  }

  async #keepRunning(pool: ProcessPool): Promise<void> {
    for (;;) {
      const task = await this.#tasks.next();
      if (task === undefined) return;
      await this.#runTask(task, pool);
    }
  }

  /** Never fails: a task whose outcome cannot be stored is given out again after its deadline. */
  async #runTask(task: Task, pool: ProcessPool): Promise<void> {
    const { intake, log } = this.#dependencies;
    const service = task.service_name;
    const started = performance.now();
    try {
      if (await this.#finishCached(task)) return;
      const result = await pool.withProcess((process) => this.#analyze(task, process));
      await intake.finish(task, result, { freshen: false });
    } catch (error) {
      if (error instanceof AnalyzerFailure && error.reason === 'stopped') return;
      this.totals.add('failures', service);
      if (error instanceof AnalyzerFailure && error.reason !== 'analyzer') this.totals.add('kills', service);
      const { sid, fileinfo } = task;
      log.warn({ service, sid, sha256: fileinfo.sha256, error: messageOf(error) }, 'an analyzer failed');
      await this.#fail(task, error).catch((err: unknown) => {
        this.#failures.warn({ err, service, sid }, 'the failure of an analyzer could not be stored');
      });
    } finally {
      this.totals.add('tasks', service);
      this.totals.add('seconds', service, (performance.now() - started) / 1000);
    }
  }

  /** Finishes a task whose result is stored already, and returns true. */
  async #finishCached(task: Task): Promise<boolean> {
    const { registry, intake, dispatcher } = this.#dependencies;
    const service = await registry.get(task.service_name);
    const manifest = this.#own.get(task.service_name);
    if (service === undefined || manifest === undefined) return false;
    const { version, tool_version: toolVersion } = manifest;
    const user = { version, toolVersion, disable_cache: service.disable_cache };
    const outcome = await patiently(() => intake.cached(task, user));
    if (outcome === undefined) return false;
    await patiently(() => dispatcher.finish(receiptOf(task), outcome));
    this.totals.add('cached', task.service_name);
    return true;
  }

  async #analyze(task: Task, process: AnalyzerProcess): Promise<Record<string, unknown>> {
    const { registry, storage, output } = this.#dependencies;
    const manifest = this.#own.get(task.service_name);
    const service = await registry.get(task.service_name);
    if (manifest === undefined || service === undefined) throw new AnalyzerFailure('ended', 'The analyzer is gone.');
    const started = new Date().toISOString();
    const { stream } = await patiently(() => storage.open(task.fileinfo.sha256));
    await pipeline(stream, createWriteStream(process.contentPath, { mode: 0o600 }));
    const limits = limitsOf(service);
    const found = await process.run(requestOf(task, service, process, limits.time), limits);
    const lists = { extracted: found.extracted, supplementary: found.supplementary };
    const files = await patiently(() => output.store(task, process.outputFolder, lists));
    return completeResult(task, manifest, found, files, started);
  }

  async #fail(task: Task, error: unknown): Promise<void> {
    const isOfFile = error instanceof AnalyzerFailure ? error.reason === 'analyzer' : !isUnavailable(error);
    const manifest = this.#own.get(task.service_name);
    await this.#dependencies.intake.fail(task, {
      response: {
        message: isTriadError(error) || error instanceof AnalyzerFailure ? error.message : 'The analyzer failed.',
        service_name: task.service_name,
        service_version: manifest?.version ?? '0',
        service_tool_version: manifest?.tool_version,
        status: isOfFile ? 'FAIL_NONRECOVERABLE' : 'FAIL_RECOVERABLE',
      },
      sha256: task.fileinfo.sha256,
      type: isOfFile ? 'EXCEPTION' : 'UNKNOWN',
    });
  }
}

/** Waits for servers to come back, so that an outage costs no attempt. */
function patiently<T>(work: () => Promise<T>): Promise<T> {
  return untilAvailable(work, { longest: PATIENCE });
}

function isBuiltIn({ docker_config }: Service): boolean {
  return docker_config.image === BUILT_IN_IMAGE;
}

function limitsOf({ timeout, docker_config }: Service): AnalyzerLimits {
  return { time: timeout * 1000, memory: Math.max(BASE_MEMORY, docker_config.ram_mb * MEGABYTE) };
}

function requestOf(
  task: Task,
  { config }: Service,
  { contentPath, outputFolder }: AnalyzerProcess,
  timeLimit: number,
): AnalyzerRequest {
  const { sha256, type, size } = task.fileinfo;
  return {
    analyzer: task.service_name,
    path: contentPath,
    folder: outputFolder,
    file: { sha256, type, size, name: task.filename },
    maxFiles: task.max_files,
    parameters: task.service_config,
    config,
    temporaryData: Object.fromEntries(task.temporary_submission_data.map(({ name, value }) => [name, value])),
    timeLimit,
  };
}

/** Makes a result of the service protocol (contract/analysis.md section 8.5) of what an analyzer found. */
function completeResult(
  task: Task,
  { name, version, tool_version }: AnalyzerManifest,
  found: Record<string, unknown>,
  { extracted, supplementary, safe }: StoredOutput,
  started: string,
): Record<string, unknown> {
  const classification = task.min_classification;
  const sections = Array.isArray(found.sections) ? found.sections : [];
  return {
    classification,
    response: {
      milestones: { service_started: started, service_completed: new Date().toISOString() },
      service_name: name,
      service_version: version,
      service_tool_version: tool_version === '' ? undefined : tool_version,
      extracted,
      supplementary,
    },
    result: {
      score: 0,
      sections: [...sections, ...safeSection(safe)].map((one: unknown) => ({ ...Object(one), classification })),
    },
    sha256: task.fileinfo.sha256,
    type: task.fileinfo.type,
    size: task.fileinfo.size,
    drop_file: found.dropsFile === true,
    partial: found.isPartial === true,
    temp_submission_data: {},
  };
}

function safeSection(names: readonly string[]): readonly object[] {
  if (names.length === 0) return [];
  const files = names.length === 1 ? '1 file that was' : `${names.length} files that were`;
  const shown = names.toSorted().slice(0, 25);
  const body = [...shown, ...(names.length > shown.length ? ['...'] : [])].join('\n');
  const title_text = `Successfully extracted ${files} safelisted.`;
  return [{ title_text, body, body_format: 'TEXT', body_config: {}, depth: 0, heuristic: null, tags: {} }];
}

/** Removes the folders of programs that were killed. */
async function removeLeftFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
