import { mkdir, open, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { messageOf, Unavailable } from '../errors/errors.ts';

/** Files that stay open while the program runs. */
const OPEN_FILES = ['documents.sqlite', 'coordination.db'] as const;
/** The files hold password hashes. */
const PRIVATE = 0o700;
const PROBE = '.write-probe';
/** More than what file systems keep beside the name of a file. */
const PROBE_BYTES = 64 * 1024;
/** Milliseconds between two checks: answers after the loss of the folder are lost, too. */
const INTERVAL = 1000;
/** Checks of the files for each check that writes. */
const CHECKS_PER_PROBE = 5;

/** Returns the folder, made if need be, or `memory`. @throws Unavailable `data_folder_unusable` */
export async function dataFolder(setting: string, { inMemory }: { readonly inMemory?: boolean }): Promise<string> {
  if (inMemory === true) return 'memory';
  const folder = resolve(setting);
  try {
    await makeFolder(folder);
  } catch (cause) {
    throw new Unavailable(
      'data_folder_unusable',
      `The data folder ${folder} cannot be created (${messageOf(cause)}). Choose another with SVC_DATA_FOLDER, or give this user the right to create it.`,
      { cause },
    );
  }
  return folder;
}

/** Creates a folder recursively. `mkdir` itself hangs where a file system refuses (/proc/x). */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || (await identityOf(parent)) !== undefined) throw error;
    await makeFolder(parent);
    await mkdir(folder, { mode: PRIVATE });
  }
}

/** Watches for lost files and a full disk, which the embedded databases notice late or not at all. */
export class DataFolderWatch {
  readonly #folder: string;
  readonly #logger: Pick<Logger, 'fatal' | 'info'>;
  readonly #files: ReadonlyMap<string, string>;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #checking: Promise<void> = Promise.resolve();
  #probedAt = 0;
  #problem: string | undefined;
  #lost: Unavailable | undefined;

  private constructor(folder: string, files: ReadonlyMap<string, string>, logger: Pick<Logger, 'fatal' | 'info'>) {
    this.#folder = folder;
    this.#files = files;
    this.#logger = logger;
  }

  /** Remembers the files that are open now. Undefined: nothing is in the data folder. */
  static async open(
    { data_folder, datastore, coordination }: Config,
    options: { readonly inMemory?: boolean; readonly logger: Pick<Logger, 'fatal' | 'info'> },
  ): Promise<DataFolderWatch | undefined> {
    const isUsed = datastore.type === 'embedded' || coordination.type === 'embedded';
    if (options.inMemory === true || !isUsed) return undefined;
    const folder = resolve(data_folder);
    const files = new Map<string, string>();
    for (const name of OPEN_FILES) {
      const file = join(folder, name);
      const identity = await identityOf(file);
      if (identity !== undefined) files.set(file, identity);
    }
    return new DataFolderWatch(folder, files, options.logger);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  /** The error of every request once the folder is lost: what it stored would be lost with the process. */
  get outage(): Unavailable | undefined {
    return this.#lost;
  }

  /** Returns the state as of at most a second ago. */
  async health(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    if (Date.now() - this.#probedAt >= INTERVAL) await this.#check(true);
    else await this.#checking;
    return { ok: this.#problem === undefined, detail: this.#problem ?? 'The data folder can be written.' };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (let count = 1; !signal.aborted; count += 1) {
      await sleep(INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#check(count % CHECKS_PER_PROBE === 0);
    }
  }

  /** One check after the other: all write the same file. */
  #check(probe: boolean): Promise<void> {
    if (probe) this.#probedAt = Date.now();
    this.#checking = this.#checking.then(() => this.#checkNow(probe));
    return this.#checking;
  }

  async #checkNow(probe: boolean): Promise<void> {
    const lost = this.#lost ?? (await this.#findLoss());
    const problem = lost?.message ?? (probe ? await this.#findWriteProblem() : this.#problem);
    this.#lost = lost;
    if (problem === this.#problem) return;
    const wasWell = this.#problem === undefined;
    this.#problem = problem;
    if (problem === undefined) this.#logger.info({ folder: this.#folder }, 'The data folder can be written again.');
    else if (wasWell || lost !== undefined) this.#logger.fatal({ folder: this.#folder }, problem);
  }

  async #findLoss(): Promise<Unavailable | undefined> {
    for (const [file, identity] of this.#files) {
      if ((await identityOf(file)) === identity) continue;
      return new Unavailable(
        'data_folder_lost',
        `${file} was deleted or replaced while the program runs, so nothing can be stored any more. Stop the program, put the data folder back or restore a back-up, and start the program again.`,
      );
    }
    return undefined;
  }

  async #findWriteProblem(): Promise<string | undefined> {
    const path = join(this.#folder, PROBE);
    try {
      const file = await open(path, 'w', 0o600);
      try {
        await file.write(Buffer.alloc(PROBE_BYTES));
      } finally {
        await file.close();
        await unlink(path);
      }
      return undefined;
    } catch (error) {
      const advice =
        codeOf(error) === 'ENOSPC' ? 'Free space on its disk.' : 'Give this user the right to write there.';
      return `The data folder ${this.#folder} cannot be written (${messageOf(error)}), so changes are refused. ${advice}`;
    }
  }
}

/** Device and number of a file; undefined when it cannot be found. */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(file);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
