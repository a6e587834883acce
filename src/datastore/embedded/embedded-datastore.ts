import { mkdirSync } from 'node:fs';
import type { CollectionDefinition } from '../../documents/collection-definition.ts';
import type { Capabilities } from '../capabilities.ts';
import type { Datastore, DatastoreHealth } from '../datastore.ts';
import type { IndexAdmin } from '../index-admin.ts';
import type { ReadAccess } from '../read-access.ts';
import type { SearchRequest, SearchResult, SortClause } from '../search.ts';
import { ColumnEngine } from './column-engine.ts';
import { type DatastoreLogger, SILENT } from './datastore-logger.ts';
import { openForReading, openForWriting } from './document-database.ts';
import { DocumentReader } from './document-reader.ts';
import { DocumentStorage, type WriteQueue } from './document-storage.ts';
import { DocumentWriter } from './document-writer.ts';
import { EmbeddedCollection } from './embedded-collection.ts';
import { EmbeddedIndexAdmin } from './embedded-index-admin.ts';
import { lockFolder } from './folder-lock.ts';
import { searchAcross } from './search-across.ts';
import { storageError } from './sqlite-errors.ts';

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
  const release: (() => void)[] = [];
  try {
    if (folder !== 'memory') {
      mkdirSync(folder, { recursive: true });
      release.push(lockFolder(folder).release);
    }
    const database = openForWriting(folder);
    release.push(() => database.close());
    const writer = new DocumentWriter(database, folder);
    const readDatabase = folder === 'memory' ? database : openForReading(folder);
    if (readDatabase !== database) release.push(() => readDatabase.close());
    const reader = new DocumentReader(readDatabase, folder);
    const queue: WriteQueue = {
      submit: async (request) => {
        const [outcome] = writer.commit([request]);
        if (!outcome) throw new Error('the writer gave no outcome');
        return outcome;
      },
      close: async () => {},
    };
    const columns = new ColumnEngine({
      folder,
      reader,
      logger,
      onDurable: (seq) => void queue.submit({ kind: 'trim', seq }),
    });
    const storage = new DocumentStorage(queue, reader, columns, writer.catalogue);
    return new EmbeddedDatastore(storage, prefix, folder, () => releaseAll(release));
  } catch (error) {
    releaseAll(release);
    throw storageError(error, folder);
  }
}

class EmbeddedDatastore implements Datastore {
  readonly capabilities: Capabilities = { eql: true, instantVisibility: true, serverSideLifecycle: false };
  readonly admin: IndexAdmin;
  readonly #storage: DocumentStorage;
  readonly #prefix: string;
  readonly #release: () => void;
  readonly #collections = new Map<unknown, unknown>();
  #closing: Promise<void> | undefined;

  constructor(storage: DocumentStorage, prefix: string, folder: string, release: () => void) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#release = release;
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
      this.#storage.reader.logAfter(Number.MAX_SAFE_INTEGER, 1);
      return { ok: true, detail: '' };
    } catch (error) {
      return { ok: false, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    this.#closing ??= this.#storage.close().finally(this.#release);
    await this.#closing;
  }
}

function releaseAll(release: (() => void)[]): void {
  for (const step of release.splice(0).reverse()) step();
}
