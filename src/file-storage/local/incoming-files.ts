import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Milliseconds without a write; then a part of another machine, or of a reused PID, is abandoned. */
const GIVEN_UP_AFTER = 24 * 3_600_000;
/** Bytes that are kept in memory: a file of that size is written at once, when it is known to be new. */
const KEPT = 256 * 1024;

/** The folder of unfinished files, which are named `<host>.<process>.<random>`. */
export class IncomingFiles {
  readonly #folder: string;
  readonly #host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-') || 'host';

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder and removes what processes that are gone have left in it; how many. */
  async prepare(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    let removed = 0;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      // Another process may do the same at this moment.
      const written = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      if (!this.#isOrphan(name, written)) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    await this.probe();
    return removed;
  }

  /** Rejects when nothing can be written. */
  async probe(): Promise<void> {
    await access(this.#folder, constants.W_OK | constants.X_OK);
  }

  /** Begins a file under a temporary name. */
  begin(): IncomingFile {
    return new IncomingFile(join(this.#folder, `${this.#host}.${process.pid}.${randomUUID()}`));
  }

  #isOrphan(name: string, written: number): boolean {
    if (Date.now() - written > GIVEN_UP_AFTER) return true;
    const [host, pid] = name.split('.');
    if (host !== this.#host) return false;
    if (Number(pid) === process.pid) return written < Date.now() - process.uptime() * 1000;
    return !isRunning(Number(pid));
  }
}

/** A file whose content comes in. It gets its place once it is whole. */
export class IncomingFile {
  readonly #path: string;
  #kept: Buffer[] = [];
  #keptSize = 0;
  #handle: FileHandle | undefined;
  #isThere = false;

  constructor(path: string) {
    this.#path = path;
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (this.#handle === undefined) {
      this.#keptSize += chunk.byteLength;
      // A copy, because the chunk may be a part of a buffer that is used again.
      this.#kept.push(Buffer.from(chunk));
      if (this.#keptSize > KEPT) await this.#writeKept();
    } else await this.#handle.writeFile(chunk);
  }

  /** Flushes the file to the disk, and gives it its place. */
  async moveTo(path: string): Promise<void> {
    const handle = this.#handle ?? (await this.#writeKept());
    await handle.sync();
    await this.#close();
    await rename(this.#path, path);
    this.#isThere = false;
  }

  /** Removes it unless it was moved. Does not fail. */
  async discard(): Promise<void> {
    await this.#close().catch(() => undefined);
    // When even that fails, the next start removes it.
    if (this.#isThere) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  async #writeKept(): Promise<FileHandle> {
    const handle = await open(this.#path, 'wx', 0o600);
    this.#handle = handle;
    this.#isThere = true;
    await handle.writeFile(Buffer.concat(this.#kept));
    this.#kept = [];
    return handle;
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
