import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { ReceivedFile } from '../files/received-file.ts';

/** The files that a request has received and no document refers to yet. */
export class HeldFiles {
  readonly #files: Pick<AnalysisFiles, 'discard'>;
  readonly #held = new Set<ReceivedFile>();

  constructor(files: Pick<AnalysisFiles, 'discard'>) {
    this.#files = files;
  }

  /** Notes a file, and returns it. */
  hold(file: ReceivedFile): ReceivedFile {
    this.#held.add(file);
    return file;
  }

  /** Forgets a file that a document refers to from now on. */
  saved(file: ReceivedFile): void {
    this.#held.delete(file);
  }

  /** Removes a file that is not needed. */
  async discard(file: ReceivedFile): Promise<void> {
    if (this.#held.delete(file)) await this.#files.discard(file);
  }

  /** Removes all files, of a request that was refused or failed. */
  async discardAll(): Promise<void> {
    await Promise.all([...this.#held].map((file) => this.discard(file)));
  }
}
