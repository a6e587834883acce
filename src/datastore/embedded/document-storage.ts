import { NotFound } from '../../errors/errors.ts';
import type { ColumnEngine } from './column-engine.ts';
import type { DocumentReader } from './document-reader.ts';
import type { IndexCatalogue } from './index-catalogue.ts';
import { errorFrom } from './write-failures.ts';
import type { AdminOperation, WriteOutcome, WriteRequest } from './write-requests.ts';

/** Takes writes, wherever the writer runs. Requests are applied in the order in which they come. */
export interface WriteQueue {
  submit(request: WriteRequest): Promise<WriteOutcome>;
  close(): Promise<void>;
}

/** The engine's methods, wherever it runs. */
export type Columns = Omit<ColumnEngine, 'announce'> & { announce(): void };

type Outcome<K extends WriteRequest['kind']> = Extract<WriteOutcome, { kind: K }>;

/** What collections and administration stand on: the writer, reads by identifier, the columns, and the indices that there are. */
export class DocumentStorage {
  readonly reader: DocumentReader;
  readonly columns: Columns;
  readonly #queue: WriteQueue;
  #catalogue: IndexCatalogue;

  constructor(queue: WriteQueue, reader: DocumentReader, columns: Columns, catalogue: IndexCatalogue) {
    this.#queue = queue;
    this.reader = reader;
    this.columns = columns;
    this.#catalogue = catalogue;
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  /** @throws what the writer refused the request with */
  async write<R extends WriteRequest>(request: R): Promise<Outcome<R['kind']>> {
    const outcome = await this.#queue.submit(request);
    if (outcome.kind === 'failed') throw errorFrom(outcome.failure);
    if (outcome.kind === 'admin' && outcome.catalogue.version > this.#catalogue.version)
      this.#catalogue = outcome.catalogue;
    if (request.kind !== 'trim') this.columns.announce();
    return outcome as Outcome<R['kind']>;
  }

  async administer(operation: AdminOperation): Promise<IndexCatalogue> {
    const { catalogue } = await this.write({ kind: 'admin', operation });
    return catalogue;
  }

  /** @throws NotFound `index_missing` */
  index(name: string) {
    const index = this.#catalogue.indices.find((candidate) => candidate.name === name);
    if (!index) throw new NotFound('index_missing', `There is no index ${name}.`);
    return index;
  }

  async close(): Promise<void> {
    await this.columns.close();
    await this.#queue.close();
  }
}
