import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { AnalyzerRequest } from '../analyzer.ts';
import { MAX_REPLY, readReply } from './analyzer-messages.ts';
import { MEMORY_INTERVAL, residentMemory } from './resident-memory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** Main file of the processes. Tests have another. */
const ENTRY = join(import.meta.dirname, 'analyzer-entry.ts');
/** Seconds of processor time after which the system ends a process that lost its parent in a loop. */
const PROCESSOR_SECONDS = 3600;
/** Characters of the last lines on standard error that a failure quotes. */
const MAX_ERROR_OUTPUT = 1000;

export type FailureReason = 'time' | 'memory' | 'ended' | 'reply' | 'analyzer' | 'stopped';

/** The analyzer did not come to a result. */
export class AnalyzerFailure extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface AnalyzerLimits {
  /** Milliseconds. */
  readonly time: number;
  /** Bytes of resident memory. */
  readonly memory: number;
}

export interface AnalyzerProcessOptions {
  /** Folder in which the process gets a folder of its own. */
  readonly folder: string;
  /** Default: `analyzer-entry.ts`. */
  readonly entry?: string;
}

interface Waiting {
  resolve(reply: ReturnType<typeof readReply>): void;
  reject(failure: AnalyzerFailure): void;
}

/**
 * A child process that runs built-in analyzers, one task after the other.
 * It may read the program and its own folder, and write into a part of that folder; it gets no setting of the
 * environment. It is killed at the limits of a task, and ends by itself when the parent is gone in any way.
 */
export class AnalyzerProcess {
  /** Path for the copy of the file that a task is about. */
  readonly contentPath: string;
  /** Folder for files that the analyzer hands over. */
  readonly outputFolder: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #waiting: Waiting | undefined;
  #killedFor: AnalyzerFailure | undefined;
  #errorOutput = '';
  #received: Buffer[] = [];
  #receivedBytes = 0;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.contentPath = join(folder, 'content');
    this.outputFolder = join(folder, 'output');
    this.#child = child;
    this.#exited = once(child, 'exit').catch(() => undefined);
    child.once('exit', (status, signal) => this.#onExit(status, signal));
    child.once('error', (error) =>
      this.#fail(new AnalyzerFailure('ended', `No process could be started: ${error.message}`)),
    );
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-MAX_ERROR_OUTPUT);
    });
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    // The exit tells why.
    socket.on('error', () => undefined);
    // An idle process must not keep the program from ending. A task does, by its timers.
    for (const stream of [socket, child.stderr]) (stream as Socket | null)?.unref();
  }

  /** Starts a process. */
  static async start({ folder, entry = ENTRY }: AnalyzerProcessOptions): Promise<AnalyzerProcess> {
    const own = await mkdtemp(join(folder, 'process-'));
    const output = join(own, 'output');
    await mkdir(output, { mode: 0o700 });
    // Not the cache of the program itself: a process that a file took over could leave code in it.
    const cache = join(ROOT, 'node_modules', '.cache', 'analyzers');
    await mkdir(cache, { recursive: true }).catch(() => undefined);
    const readable = [join(ROOT, 'src'), join(ROOT, 'node_modules'), join(ROOT, 'package.json'), dirname(entry), own];
    const flags = [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...[output, cache].map((path) => `--allow-fs-write=${path}`),
      '--disable-warning=ExperimentalWarning',
    ];
    const child = spawn(...limited([process.execPath, ...flags, entry]), {
      cwd: own,
      env: { NODE_COMPILE_CACHE: cache, TMPDIR: output },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    child.unref();
    return new AnalyzerProcess(own, child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isAlive(): boolean {
    return this.#killedFor === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Runs one task. The members of the result are unchecked.
   * @throws AnalyzerFailure, after which the process may be gone
   */
  async run(request: AnalyzerRequest, { time, memory }: AnalyzerLimits): Promise<Record<string, unknown>> {
    if (this.#waiting !== undefined) throw new Error('The process has a task.');
    const replied = new Promise<ReturnType<typeof readReply>>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    if (!this.isAlive) this.#onExit(this.#child.exitCode, this.#child.signalCode);
    const deadline = setTimeout(() => this.#kill('time', `it ran for more than ${time / 1000} s`), time);
    const watch = setInterval(() => void this.#watchMemory(memory), MEMORY_INTERVAL);
    this.#socket.write(`${JSON.stringify(request)}\n`);
    try {
      const reply = await replied;
      if ('error' in reply) throw new AnalyzerFailure('analyzer', reply.error);
      return reply.result;
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
    }
  }

  /** Returns the resident memory in bytes; undefined when the process is gone. */
  async memory(): Promise<number | undefined> {
    return this.pid === undefined ? undefined : residentMemory(this.pid);
  }

  /** Removes what a task left, so that the next one finds an empty folder. */
  async clean(): Promise<void> {
    await rm(this.contentPath, { force: true });
    for (const name of await readdir(this.outputFolder)) {
      await rm(join(this.outputFolder, name), { recursive: true, force: true });
    }
  }

  /** Kills the process and removes its folder. A task that it has fails. */
  async end(): Promise<void> {
    this.#kill('stopped', 'the program ends');
    if (this.pid !== undefined) await this.#exited;
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #socket(): Socket {
    return this.#child.stdio[3] as Socket;
  }

  async #watchMemory(limit: number): Promise<void> {
    const used = (await this.memory()) ?? 0;
    if (used <= limit) return;
    this.#kill('memory', `it took ${inMegabytes(used)} MB of memory; ${inMegabytes(limit)} MB are allowed`);
  }

  #onData(chunk: Buffer): void {
    const end = chunk.indexOf(10);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > MAX_REPLY) {
      this.#kill('reply', `its reply has more than ${MAX_REPLY} bytes`);
      return;
    }
    this.#received.push(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) return;
    const line = Buffer.concat(this.#received).toString('utf8');
    this.#received = [];
    this.#receivedBytes = 0;
    if (this.#waiting === undefined || end !== chunk.length - 1) {
      this.#kill('reply', 'it answered more than it was asked');
      return;
    }
    try {
      const reply = readReply(line);
      this.#waiting.resolve(reply);
      this.#waiting = undefined;
    } catch {
      this.#kill('reply', 'its reply cannot be read');
    }
  }

  #kill(reason: FailureReason, why: string): void {
    if (!this.isAlive) return;
    this.#killedFor = new AnalyzerFailure(reason, `The analyzer was killed: ${why}.`);
    this.#child.kill('SIGKILL');
  }

  #onExit(status: number | null, signal: NodeJS.Signals | null): void {
    const how = signal === null ? `with exit status ${status}` : `by ${signal}`;
    const output = this.#errorOutput.trim();
    const message = `The process of the analyzer ended ${how}.${output === '' ? '' : ` Its last output: ${output}`}`;
    this.#fail(this.#killedFor ?? new AnalyzerFailure('ended', message));
  }

  #fail(failure: AnalyzerFailure): void {
    this.#waiting?.reject(failure);
    this.#waiting = undefined;
  }
}

/** Returns a command that runs another with limits of the system, where there are any. */
function limited([command = '', ...rest]: readonly string[]): [string, string[]] {
  if (process.platform === 'win32') return [command, rest];
  return ['/bin/sh', ['-c', `ulimit -c 0; ulimit -t ${PROCESSOR_SECONDS}; exec "$0" "$@"`, command, ...rest]];
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
