import { collectGarbage } from '../../../garbage-collection/garbage-collection.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import type { ColumnSynchroniser } from './column-synchroniser.ts';

/** What is written into the file at once; a longer log takes longer to read when the program starts. */
const CHECKPOINT_ROWS = 20_000;
/** The database keeps memory for every row that it has taken in until it is opened anew. */
const REOPEN_ROWS = 100_000;
const REOPEN_IDLE_ROWS = 10_000;
/** Without writes for so long, what is left is written into the file. Milliseconds. */
const IDLE = 5_000;
/** Without searches and writes for so long, the files are closed. Opening them again takes tens of milliseconds. */
const UNUSED = 30_000;

export interface UpkeepOptions {
  /** Columns in memory are never opened anew: they would have to be made anew. */
  readonly folder: string;
  readonly open: () => Promise<ColumnSynchroniser>;
  readonly logger: DatastoreLogger;
  /** Called with the number up to which writes are applied. */
  readonly onApplied: (seq: number) => void;
  /** Called with the number up to which the log of changes is not needed any more. */
  readonly onDurable: (seq: number) => void;
}

/** Work on the columns that no search waits for: applying, checkpoints, giving memory back. */
export class ColumnUpkeep {
  readonly #options: UpkeepOptions;
  #isAnnounced = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #unusedTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
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

  /** Says that the columns are searched or written. */
  noteUse(): void {
    if (this.#isInMemory) return;
    if (this.#unusedTimer) this.#unusedTimer.refresh();
    else if (!this.#stopped) this.#unusedTimer = setTimeout(() => this.#later(() => this.#release()), UNUSED).unref();
  }

  /** Everything that is applied lies in the file proper afterwards. */
  async checkpoint(): Promise<void> {
    const synchroniser = await this.#options.open();
    const seq = await synchroniser.checkpoint();
    if (seq !== undefined) this.#options.onDurable(seq);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#unusedTimer);
    await this.#running;
  }

  get #isInMemory(): boolean {
    return this.#options.folder === 'memory';
  }

  async #release(): Promise<void> {
    await (await this.#options.open()).release();
    // Nobody waits for the thread now; what it worked with is up to 25 MB.
    collectGarbage();
  }

  async #apply(): Promise<void> {
    const synchroniser = await this.#options.open();
    this.noteUse();
    let isApplied: boolean;
    do {
      isApplied = await synchroniser.advance();
      this.#options.onApplied(synchroniser.store.position?.seq ?? 0);
      if (synchroniser.rowsWritten >= CHECKPOINT_ROWS) await this.checkpoint();
      if (synchroniser.rowsSinceOpened >= REOPEN_ROWS && !this.#isInMemory) await synchroniser.reopen();
    } while (!(isApplied && synchroniser.isComplete) && !this.#stopped);
    this.#whenIdle(synchroniser);
  }

  #whenIdle(synchroniser: ColumnSynchroniser): void {
    clearTimeout(this.#idleTimer);
    if (this.#stopped || this.#isInMemory || synchroniser.rowsSinceOpened === 0) return;
    const settle = async (): Promise<void> => {
      if (synchroniser.rowsWritten > 0) await this.checkpoint();
      if (synchroniser.rowsSinceOpened >= REOPEN_IDLE_ROWS) await synchroniser.reopen();
    };
    this.#idleTimer = setTimeout(() => this.#later(settle), IDLE).unref();
  }

  /** One after the other; what fails is tried again with the next writes. */
  #later(work: () => Promise<void>): void {
    this.#running = this.#running.then(async () => {
      if (!this.#stopped) await work().catch((error) => this.#report(error));
    });
  }

  #report(error: unknown): void {
    if (this.#stopped) return;
    const message =
      'The search columns could not follow the documents; the next search tries again. No document is lost.';
    this.#options.logger.error({ err: error }, message);
  }
}
