import { isTriadError, Unavailable } from '../../../errors/errors.ts';
import type { DatastoreLogger } from '../../port/datastore-logger.ts';
import { canFollow, currentOpening, lastSequence } from '../documents/document-database.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { ReadWriteLock } from '../documents/read-write-lock.ts';
import { ColumnStore } from './column-store.ts';

export interface ColumnFilesOptions {
  readonly folder: string;
  readonly reader: DocumentReader;
  readonly logger: DatastoreLogger;
  readonly lock: ReadWriteLock;
}

/** What says that the disk, and not the file, is the problem. */
const DISK_PROBLEM =
  /No space left|Disk quota|Read-only file system|Permission denied|Too many open files|File too large/i;

/** The files of the columns: opened as they are, or thrown away when they are of no use. */
export class ColumnFiles {
  readonly folder: string;
  readonly reader: DocumentReader;
  readonly logger: DatastoreLogger;
  readonly lock: ReadWriteLock;
  /** Identifies the present history of the documents. */
  readonly opening: string;

  constructor({ folder, reader, logger, lock }: ColumnFilesOptions) {
    this.folder = folder;
    this.reader = reader;
    this.logger = logger;
    this.lock = lock;
    this.opening = currentOpening(reader.database);
  }

  /**
   * Opens the columns. What is damaged, of another history or older than the log reaches back is thrown away; it is made anew from the
   * documents.
   * @throws Unavailable `datastore_unavailable`, when the disk does not let it
   */
  async open(how: 'as it is' | 'anew' = 'as it is'): Promise<ColumnStore> {
    const store = how === 'anew' ? await this.#anew('Their file is damaged.') : await this.#usable();
    await store.begin({ opening: this.opening, seq: store.position?.seq ?? lastSequence(this.reader.database) });
    return store;
  }

  async #usable(): Promise<ColumnStore> {
    let reason = 'They do not belong to the present documents.';
    let cause: unknown;
    try {
      const store = await ColumnStore.open(this.folder, this.lock);
      if (store.position === undefined || canFollow(this.reader.database, store.position)) return store;
      await store.database.close();
    } catch (error) {
      if (isTriadError(error)) throw error;
      if (error instanceof Error && DISK_PROBLEM.test(error.message)) throw this.#unavailable(error);
      reason = 'Their file cannot be read.';
      cause = error;
    }
    return this.#anew(reason, cause);
  }

  #anew(reason: string, cause?: unknown): Promise<ColumnStore> {
    const message = `The search columns in ${this.folder} are made anew from the documents. ${reason}`;
    this.logger.warn({ folder: this.folder, err: cause }, message);
    return ColumnStore.create(this.folder, this.lock);
  }

  #unavailable(cause: Error): Unavailable {
    const message = `The search columns in ${this.folder} cannot be opened: ${cause.message}`;
    return new Unavailable('datastore_unavailable', message, { cause });
  }
}
