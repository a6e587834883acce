import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Milliseconds without a write; then a part of another machine, or of a reused PID, is abandoned. */
const GIVEN_UP_AFTER = 24 * 3_600_000;

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
  async begin() {
    const path = join(this.#folder, `${this.#host}.${process.pid}.${randomUUID()}`);
    const handle = await open(path, 'wx', 0o600);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
    };
    return {
      path,
      write: (chunk: Uint8Array) => handle.writeFile(chunk),
      /** Flushes the file to the disk, so that it can be moved to its place. */
      async finish() {
        await handle.sync();
        await close();
      },
      /** Removes it unless it was moved. Does not fail. */
      async discard() {
        await close().catch(() => undefined);
        // When even that fails, the next start removes it.
        await rm(path, { force: true }).catch(() => undefined);
      },
    };
  }

  #isOrphan(name: string, written: number): boolean {
    if (Date.now() - written > GIVEN_UP_AFTER) return true;
    const [host, pid] = name.split('.');
    if (host !== this.#host) return false;
    if (Number(pid) === process.pid) return written < Date.now() - process.uptime() * 1000;
    return !isRunning(Number(pid));
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
