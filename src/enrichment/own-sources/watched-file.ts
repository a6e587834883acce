import { stat } from 'node:fs/promises';
import { messageOf } from '../../errors/errors.ts';
import type { Log } from '../../http/request-log.ts';

export interface WatchedFileOptions<T> {
  readonly path: string;
  /** The setting that names the file, for messages. */
  readonly setting: string;
  /** Reads the file; rejects with a message for one that is not usable, or when the signal aborts. */
  readonly read: (path: string, signal: AbortSignal) => Promise<T>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds between two polls of the file. Default: a second. */
  readonly interval?: number;
}

/**
 * Holds the content of a file, and reads it again when it changes on disk. An unusable file leaves
 * the former content in use, with a warning; a file that is being written is read once it is
 * unchanged.
 */
export class WatchedFile<T> {
  readonly #options: WatchedFileOptions<T>;
  #content: { readonly value: T } | undefined;
  /** Why there is no content. */
  #problem = 'it has not been read yet';
  /** The version that was read last, whether it was usable or not. */
  #known: string | undefined;
  /** The version at the last poll. */
  #seen: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();
  #running: Promise<void>;
  readonly #first: Promise<void>;

  constructor(options: WatchedFileOptions<T>) {
    this.#options = options;
    this.#running = this.#load();
    this.#first = this.#running;
    this.#repeat();
  }

  /** Returns the content. @throws Error when no version of the file has been usable */
  async value(): Promise<T> {
    await this.#first;
    if (this.#content !== undefined) return this.#content.value;
    throw new Error(`the file ${this.#options.path} of ${this.#options.setting} is not usable: ${this.#problem}`);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #repeat(): void {
    void this.#running.then(() => {
      if (this.#closing.signal.aborted) return;
      this.#timer = setTimeout(() => {
        this.#running = this.#poll();
        this.#repeat();
      }, this.#options.interval ?? 1_000);
      this.#timer.unref();
    });
  }

  /** Reads the file if it has changed since it was read, but not since the last poll. */
  async #poll(): Promise<void> {
    const version = await versionOf(this.#options.path);
    const isUnchanged = version === this.#seen;
    this.#seen = version;
    if (isUnchanged && version !== this.#known) await this.#load();
  }

  async #load(): Promise<void> {
    const { path, setting, read, log } = this.#options;
    const version = await versionOf(path);
    try {
      const value = await read(path, this.#closing.signal);
      // A mix of two versions may have been read: the next poll decides.
      if ((await versionOf(path)) !== version) return;
      this.#content = { value };
      log.info({ file: path }, `${setting}: the file has been read`);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#problem = messageOf(error);
      const rest = this.#content === undefined ? '' : '; the former content stays in use';
      log.warn({ file: path, reason: this.#problem }, `${setting}: the file is not usable${rest}`);
    }
    this.#known = version;
  }
}

/** Returns what differs between two versions of a file; the reason for a file that is not there. */
async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch (error) {
    return messageOf(error);
  }
}
