import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import type { Settings } from '../../config/config-schema.ts';
import { messageOf, Unavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';

type Rotation = Pick<Settings['audit'], 'max_megabytes' | 'daily' | 'max_files'>;

/** Milliseconds until a failed file is tried again. */
const RETRY = 5000;
/** Readable by the operator only. */
const MODE = 0o600;
/** Characters that may wait while the disk is slow; further lines go to the program's log. */
const MAX_WAITING = 16 * 1024 * 1024;

/**
 * Opens a file that is rotated when large or old. Lines that cannot be written go to the program's
 * log; the file is tried again after 5 seconds, without a restart. @throws Unavailable `audit_log_unusable`
 */
export async function openAuditFile(
  path: string,
  rotation: Rotation,
  parts: Required<AuditLogDependencies>,
): Promise<AuditDestination> {
  const file = new AuditFile(path, rotation, parts);
  try {
    await file.open();
  } catch (cause) {
    throw new Unavailable(
      'audit_log_unusable',
      `Security events cannot be written to ${resolve(path)} (${messageOf(cause)}). Give the program the right to write there, or choose another file with SVC_AUDIT_FILE, or standard output with SVC_AUDIT_TO=stdout.`,
      { cause },
    );
  }
  return file;
}

class AuditFile implements AuditDestination {
  readonly #path: string;
  readonly #rotation: Rotation;
  readonly #dependencies: Required<AuditLogDependencies>;
  #stream: RotatingFileStream | undefined;
  /** The write in progress. */
  #writing: Promise<void> | undefined;
  #waiting = '';
  #retryAt = 0;
  /** The file ends with part of a line, after a full disk or a power loss. */
  #endsMidLine = false;

  constructor(path: string, rotation: Rotation, dependencies: Required<AuditLogDependencies>) {
    this.#path = path;
    this.#rotation = rotation;
    this.#dependencies = dependencies;
  }

  /** Resolves when the file is open. */
  async open(): Promise<void> {
    const { max_megabytes: megabytes, daily, max_files: files } = this.#rotation;
    const stream = createStream(basename(this.#path), {
      path: dirname(resolve(this.#path)),
      mode: MODE,
      size: `${megabytes}M`,
      ...(daily ? { interval: '1d' } : {}),
      ...(files > 0 ? { maxFiles: files } : {}),
    });
    stream.on('warning', (error) => this.#dependencies.log.error({ err: error }, `${this.#path} could not be rotated`));
    await new Promise<void>((opened, failed) => {
      stream.once('open', () => opened());
      stream.on('error', (error) => {
        if (this.#stream === stream) this.#stream = undefined;
        failed(error);
      });
    });
    this.#endsMidLine = endsMidLine(this.#path);
    this.#stream = stream;
  }

  write(lines: string): void {
    if (this.#waiting.length + lines.length > MAX_WAITING) {
      this.#reportToLog(lines, new Error('the disk is slower than the events'));
      return;
    }
    this.#waiting += lines;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
  }

  writeAtExit(lines: string): void {
    const rest = this.#waiting + lines;
    this.#waiting = '';
    if (rest === '') return;
    try {
      appendFileSync(this.#path, endsMidLine(this.#path) ? `\n${rest}` : rest, { mode: MODE });
    } catch (error) {
      this.#reportToLog(rest, error);
    }
  }

  async close(): Promise<void> {
    await this.#writing;
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream !== undefined) await new Promise<void>((closed) => stream.end(() => closed()));
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting !== '') {
      const lines = this.#waiting;
      this.#waiting = '';
      try {
        await this.#append(lines);
      } catch (error) {
        this.#reportToLog(lines, error);
      }
    }
  }

  async #append(lines: string): Promise<void> {
    if (this.#stream === undefined) {
      if (this.#dependencies.now() < this.#retryAt) throw new Error('the file could not be written a moment ago');
      this.#retryAt = this.#dependencies.now() + RETRY;
      await this.open();
    }
    const stream = this.#stream;
    if (stream === undefined) throw new Error('the file was closed as soon as it was open');
    await new Promise<void>((written, failed) => {
      stream.write(this.#endsMidLine ? `\n${lines}` : lines, (error) => (error ? failed(error) : written()));
    });
    this.#endsMidLine = false;
  }

  #reportToLog(lines: string, error: unknown): void {
    for (const line of lines.trimEnd().split('\n')) {
      this.#dependencies.log.error(
        { audit: JSON.parse(line) as unknown, reason: messageOf(error) },
        `a security event could not be written to ${this.#path}`,
      );
    }
  }
}

function endsMidLine(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(file);
  }
}

export interface AuditLogDependencies {
  /** Gets the events that could not be written, with the reason. */
  readonly log: Pick<IdentityLog, 'error'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** A destination of lines. */
export interface AuditDestination {
  /** Writes whole lines, each with its line feed. Neither throws nor waits. */
  write(lines: string): void;
  /** Writes the waiting lines before the process ends, without the event loop. */
  writeAtExit(lines: string): void;
  close(): Promise<void>;
}
