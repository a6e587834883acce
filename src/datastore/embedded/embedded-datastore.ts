import { mkdirSync } from 'node:fs';
import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import type { Capabilities } from '../capabilities.ts';
import type { Datastore, DatastoreHealth } from '../datastore.ts';
import type { IndexAdmin } from '../index-admin.ts';
import type { ReadAccess } from '../read-access.ts';
import type { SearchRequest, SearchResult, SortClause } from '../search.ts';
import { type DatastoreLogger, SILENT } from './datastore-logger.ts';
import { DirectColumns } from './direct-columns.ts';
import { openForReading, openForWriting } from './document-database.ts';
import { DocumentReader } from './document-reader.ts';
import { DocumentStorage } from './document-storage.ts';
import { DocumentWriter } from './document-writer.ts';
import { EmbeddedCollection } from './embedded-collection.ts';
import { EmbeddedIndexAdmin } from './embedded-index-admin.ts';
import { lockFolder } from './folder-lock.ts';
import { searchAcross } from './search-across.ts';
import { storageError } from './sqlite-errors.ts';
import { ThreadedColumns } from './threaded-columns.ts';
import { ThreadedWriteQueue } from './threaded-write-queue.ts';
import { DirectWriteQueue } from './write-queue.ts';

export interface EmbeddedDatastoreOptions {
  /** Made when it is missing. `memory`: nothing is kept, several may be open at once. */
  readonly folder: string;
  /** Aliases are `<prefix>-<collection>`. */
  readonly prefix: string;
  readonly logger?: DatastoreLogger;
}

/**
 * Opens documents with search in a folder: SQLite holds the documents, DuckDB the columns that searches read. The columns are
 * disposable; what is missing there is made anew from the documents.
 * @throws Unavailable `data_folder_in_use`, when another process has the folder; `datastore_unavailable`, when it cannot be used
 */
export async function openEmbeddedDatastore(options: EmbeddedDatastoreOptions): Promise<Datastore> {
  const { folder, prefix, logger = SILENT } = options;
  const storage = folder === 'memory' ? openInMemory(logger) : await openInFolder(folder, logger);
  return new EmbeddedDatastore(storage, prefix, folder);
}

function openInMemory(logger: DatastoreLogger): DocumentStorage {
  const folder = 'memory';
  const database = openForWriting(folder);
  const writer = new DocumentWriter(database, folder);
  const queue = new DirectWriteQueue(writer);
  const reader = new DocumentReader(database, folder);
  const columns = new DirectColumns({ folder, reader, logger, onDurable: () => {} });
  return new DocumentStorage({ queue, reader, columns }, writer.catalogue, () => database.close());
}

async function openInFolder(folder: string, logger: DatastoreLogger): Promise<DocumentStorage> {
  const release: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const step of release.splice(0).reverse()) step();
  };
  try {
    mkdirSync(folder, { recursive: true });
    release.push(lockFolder(folder).release);
    const { queue, catalogue } = await ThreadedWriteQueue.open(folder, logger);
    const database = openForReading(folder);
    release.push(() => database.close());
    const reader = new DocumentReader(database, folder);
    const onDurable = (seq: number) => {
      queue
        .submit({ kind: 'trim', seq })
        .catch((error) => logger.warn({ err: error }, 'The log of changes stays long.'));
    };
    const columns = new ThreadedColumns({ folder, logger, onDurable });
    return new DocumentStorage({ queue, reader, columns }, catalogue, releaseAll);
  } catch (error) {
    releaseAll();
    const refused = storageError(error, folder);
    logger.error({ err: error, folder }, refused.message);
    throw refused;
  }
}

class EmbeddedDatastore implements Datastore {
  readonly capabilities: Capabilities = { eql: false, instantVisibility: true, serverSideLifecycle: false };
  readonly admin: IndexAdmin;
  readonly #storage: DocumentStorage;
  readonly #prefix: string;
  readonly #collections = new Map<unknown, unknown>();

  constructor(storage: DocumentStorage, prefix: string, folder: string) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.admin = new EmbeddedIndexAdmin(storage, prefix, folder);
  }

  collection<T>(definition: CollectionDefinition<T>): EmbeddedCollection<T> {
    const known = this.#collections.get(definition);
    if (known) return known as EmbeddedCollection<T>;
    const collection = new EmbeddedCollection(definition, this.#storage, this.#prefix);
    this.#collections.set(definition, collection);
    return collection;
  }

  async searchAcross(
    definitions: readonly CollectionDefinition<unknown>[],
    request: (definition: CollectionDefinition<unknown>) => SearchRequest & { readonly sort: readonly SortClause[] },
    access: ReadAccess,
  ): Promise<SearchResult<unknown>> {
    return searchAcross(
      definitions.map((definition) => ({ collection: this.collection(definition), request: request(definition) })),
      access,
    );
  }

  async health(): Promise<DatastoreHealth> {
    try {
      return await this.#storage.during(() => {
        this.#storage.reader.logAfter(Number.MAX_SAFE_INTEGER, 1);
        return { ok: true, detail: 'The documents can be read.' };
      });
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await this.#storage.close();
  }
}
