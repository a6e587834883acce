import { collectGarbage } from '../../../garbage-collection/garbage-collection.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { ColumnSynchroniser } from './column-synchroniser.ts';

/** Rows after which a checkpoint runs; a longer log takes longer to read when the program starts. */
const CHECKPOINT_ROWS = 20_000;
/** Rows after which the database is reopened: it keeps memory for every row that it has taken in. */
const REOPEN_ROWS = 100_000;
const REOPEN_IDLE_ROWS = 10_000;
/** Milliseconds without writes after which the rest is written into the file. */
const IDLE = 5_000;
/** Milliseconds without use after which the files are closed. Reopening takes tens of milliseconds. */
const UNUSED = 30_000;

export interface ColumnEvents {
  /** Called from time to time with the number up to which writes are applied. */
  readonly onApplied: (seq: number) => void;
  /** Called with the number up to which the log of changes is no longer needed. */
  readonly onDurable: (seq: number) => void;
}

export interface UpkeepOptions extends ColumnEvents {
  /** Columns in memory are never closed: they would have to be rebuilt. */
  readonly folder: string;
  readonly logger: DatastoreLogger;
  readonly open: () => Promise<ColumnSynchroniser>;
}

/** Does the work on the columns that no search waits for: applying, checkpoints, releasing memory. */
export class ColumnUpkeep {
  readonly #options: UpkeepOptions;
  readonly #isInMemory: boolean;
  #isAnnounced = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #unusedTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#isInMemory = options.folder === 'memory';
  }

  /** Applies what was written, after the work that runs. */
  announce(): void {
    if (this.#isAnnounced) return;
    this.#isAnnounced = true;
    this.#later(() => {
      this.#isAnnounced = false;
      return this.#apply();
    });
  }

  noteUse(): void {
    if (this.#isInMemory) return;
    if (this.#unusedTimer) this.#unusedTimer.refresh();
    else if (!this.#isStopped) this.#unusedTimer = setTimeout(() => this.#later(() => this.#release()), UNUSED).unref();
  }

  async checkpoint(): Promise<void> {
    const synchroniser = await this.#options.open();
    const seq = await synchroniser.checkpoint();
    if (seq !== undefined) this.#options.onDurable(seq);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#unusedTimer);
    await this.#running;
  }

  async #release(): Promise<void> {
    await (await this.#options.open()).close();
    // The thread is unused now; its garbage is up to 25 MB.
    collectGarbage();
  }

  async #apply(): Promise<void> {
    const synchroniser = await this.#options.open();
    this.noteUse();
    let isApplied: boolean;
    do {
      isApplied = await synchroniser.advance();
      this.#options.onApplied(synchroniser.store.seq);
      if (synchroniser.rowsWritten >= CHECKPOINT_ROWS) await this.checkpoint();
      if (synchroniser.rowsSinceOpened >= REOPEN_ROWS && !this.#isInMemory) await synchroniser.reopen();
    } while (!(isApplied && synchroniser.isComplete) && !this.#isStopped);
    this.#whenIdle(synchroniser);
  }

  #whenIdle(synchroniser: ColumnSynchroniser): void {
    clearTimeout(this.#idleTimer);
    if (this.#isStopped || this.#isInMemory || synchroniser.rowsSinceOpened === 0) return;
    const settle = async (): Promise<void> => {
      if (synchroniser.rowsWritten > 0) await this.checkpoint();
      if (synchroniser.rowsSinceOpened >= REOPEN_IDLE_ROWS) await synchroniser.reopen();
    };
    this.#idleTimer = setTimeout(() => this.#later(settle), IDLE).unref();
  }

  /** Runs one piece of work after the other; what fails is tried again with the next writes. */
  #later(work: () => Promise<void>): void {
    const message =
      'The search columns could not follow the documents; the next search tries again. No document is lost.';
    this.#running = this.#running.then(async () => {
      if (this.#isStopped) return;
      await work().catch((error) => {
        if (!this.#isStopped) this.#options.logger.error({ err: error }, message);
      });
    });
  }
}
