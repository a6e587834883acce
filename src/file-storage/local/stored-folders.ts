import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IncomingFile } from './incoming-files.ts';

/** The folders `ab/cd` in which files lie by the first digits of their hash. */
export class StoredFolders {
  readonly #folder: string;
  /** Folders whose own names are on the disk for certain, by their digits: the first two, and all four. */
  readonly #settledFirst = new Uint8Array(0x100);
  readonly #settled = new Uint8Array(0x1_0000);

  constructor(folder: string) {
    this.#folder = folder;
  }

  pathOf(sha256: string): string {
    return join(this.#folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  /** Moves a file into place. Once it resolves, the file is there also after a power failure. */
  async moveInto(part: IncomingFile, sha256: string): Promise<void> {
    const path = this.pathOf(sha256);
    const home = dirname(path);
    await mkdir(home, { recursive: true });
    await part.moveTo(path);
    // Another request or process may have made the folders, and not have flushed them yet.
    const first = Number.parseInt(sha256.slice(0, 2), 16);
    const both = Number.parseInt(sha256.slice(0, 4), 16);
    await Promise.all([
      flushFolder(home),
      this.#settled[both] === 1 ? undefined : flushFolder(dirname(home)),
      this.#settledFirst[first] === 1 ? undefined : flushFolder(this.#folder),
    ]);
    this.#settledFirst[first] = 1;
    this.#settled[both] = 1;
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
