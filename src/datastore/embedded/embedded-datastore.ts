import { mkdirSync } from 'node:fs';
import { messageOf } from '../../errors/errors.ts';
import { checkedDatastore } from '../port/checked-datastore.ts';
import type { Datastore, DatastoreHealth } from '../port/datastore.ts';
import { type DatastoreLogger, SILENT } from '../port/datastore-logger.ts';
import { directColumns, ThreadedColumns } from './columns.ts';
import { DocumentStorage } from './document-storage.ts';
import { openForReading, openForWriting, storageError } from './documents/document-database.ts';
import { DocumentReader } from './documents/document-reader.ts';
import { DocumentWriter } from './documents/document-writer.ts';
import { isFinished } from './documents/index-catalogue.ts';
import { ThreadedWriteQueue } from './documents/write-queue.ts';
import { EmbeddedCollection } from './embedded-collection.ts';
import { lockFolder } from './folder-lock.ts';
import { EmbeddedIndexAdmin } from './indices/index-admin.ts';

export interface EmbeddedDatastoreOptions {
  /** Created when it is missing. `memory`: nothing is kept, several may be open at once. */
  readonly folder: string;
  /** Precedes the name of a collection in its alias, `<prefix>-<collection>`. */
  readonly prefix: string;
  readonly logger?: DatastoreLogger;
}

/**
 * Opens documents with search in a folder.
 * SQLite holds the documents, DuckDB the columns that searches read, which are rebuilt from the documents when lost.
 * Layers, the lowest first: `documents`, `columns`, `queries`, `aggregations`; `indices` lies above `documents`.
 * @throws Unavailable `data_folder_in_use`, `datastore_unavailable`
 */
export async function openEmbeddedDatastore(options: EmbeddedDatastoreOptions): Promise<Datastore> {
  const { folder, prefix, logger = SILENT } = options;
  const storage = folder === 'memory' ? openInMemory(logger) : await openInFolder(folder, logger);
  return checkedDatastore({
    capabilities: { instantVisibility: true, serverSideLifecycle: false },
    admin: new EmbeddedIndexAdmin(storage, prefix, folder),
    collection: (definition) => new EmbeddedCollection(definition, storage, prefix),
    health: () => health(storage),
    close: () => storage.close(),
  });
}

function openInMemory(logger: DatastoreLogger): DocumentStorage {
  const folder = 'memory';
  const database = openForWriting(folder);
  const writer = new DocumentWriter(database);
  const reader = new DocumentReader(database);
  const columns = directColumns({ folder, reader, logger, onApplied: () => {}, onDurable: () => {} });
  const release = async () => {
    await columns.close();
    database.close();
  };
  return new DocumentStorage({ queue: writer, reader, columns, catalogue: writer.catalogue, logger, release });
}

async function openInFolder(folder: string, logger: DatastoreLogger): Promise<DocumentStorage> {
  const opened = new AsyncDisposableStack();
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockFolder(folder);
    opened.defer(() => lock.release());
    const queue = new ThreadedWriteQueue(folder, logger);
    opened.defer(() => queue.close());
    const catalogue = await queue.open();
    const database = openForReading(folder);
    opened.defer(() => database.close());
    const reader = new DocumentReader(database);
    const warning = 'The log of changes could not be shortened; it grows until the next time.';
    const onDurable = (seq: number) => {
      queue.submit({ method: 'trim', args: [seq] }).catch((error) => logger.warn({ err: error }, warning));
    };
    const columns = new ThreadedColumns({ folder, logger, onDurable });
    opened.defer(() => columns.close());
    const parts = opened.move();
    const release = () => parts.disposeAsync();
    const storage = new DocumentStorage({ queue, reader, columns, catalogue, logger, release });
    // A crash left clones that are not complete.
    for (const index of catalogue.indices) if (!isFinished(index)) await storage.administer('delete', index.name);
    return storage;
  } catch (error) {
    await opened.disposeAsync();
    const refused = storageError(error, folder);
    logger.error({ err: error, folder }, refused.message);
    throw refused;
  }
}

async function health(storage: DocumentStorage): Promise<DatastoreHealth> {
  try {
    return await storage.during(() => {
      storage.reader.log(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1);
      const problem = storage.writeProblem;
      return { ok: problem === undefined, detail: problem ?? 'Documents are read and written.' };
    });
  } catch (error) {
    return { ok: false, detail: messageOf(error) };
  }
}
