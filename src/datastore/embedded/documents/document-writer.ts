import type { DatabaseSync } from 'node:sqlite';
import { isTriadError, NotFound, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import { assertDocumentSize, type BulkItem } from '../../port/collection.ts';
import type { UpdateOperation } from '../../port/update-operations.ts';
import { checkVersion, versionOf } from '../../port/versions.ts';
import { applyOperations } from '../../semantics/apply-operations.ts';
import { type CallOf, errorFrom, type Failure, failureOf, type Outcome } from '../worker-calls.ts';
import { isSqliteError, storageError } from './document-database.ts';
import type { DocumentRow } from './document-reader.ts';
import { type CatalogueIndex, type IndexCatalogue, indicesOf, readCatalogue, writeIndexOf } from './index-catalogue.ts';
import { type IndexChange, IndexChanges } from './index-changes.ts';
import { LoggedRows, type Present, type RowCopy } from './logged-rows.ts';

export type WriteMethod = 'items' | 'changeFound' | 'copyRows' | 'trim' | 'vacuum' | 'administer';
export type WriteCall = CallOf<DocumentWriter, WriteMethod>;

/** A write of the port, with the document as its text. */
export type WriteItem =
  | Exclude<BulkItem<unknown>, { kind: 'save' }>
  | { readonly kind: 'save'; readonly id: string; readonly json: string; readonly ifVersion?: string | undefined };

export interface WrittenItem {
  readonly ok: true;
  readonly id: string;
  readonly version: string;
  readonly existed: boolean;
  readonly json: string | undefined;
}

export type WriteItemResult = WrittenItem | { readonly ok: false; readonly id: string; readonly failure: Failure };

export interface ItemsOptions {
  readonly atomic: boolean;
  readonly returnDocuments: boolean;
}

/** Writes the documents of a folder, synchronously; there is no other writer. */
export class DocumentWriter {
  readonly #database: DatabaseSync;
  readonly #rows: LoggedRows;
  #catalogue: IndexCatalogue;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#rows = new LoggedRows(database);
    this.#catalogue = readCatalogue(database);
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  get seq(): number {
    return this.#rows.seq;
  }

  /**
   * Applies the calls in order as one transaction, so that they share one sync of the disk.
   * A call that is refused changes nothing and does not disturb the others, which are then applied one by one; when
   * storage fails, all fail and nothing is changed.
   */
  commit(calls: readonly WriteCall[]): readonly Outcome[] {
    try {
      return this.#transaction(() => calls.map((call) => ({ result: this.#apply(call) })));
    } catch (error) {
      if (isSqliteError(error)) return calls.map(() => ({ failure: failureOf(storageError(error)) }));
      if (calls.length > 1) return calls.flatMap((call) => this.commit([call]));
      return [{ failure: failureOf(error) }];
    }
  }

  /** Applies one call, as a queue does; for documents in memory, where nothing blocks. */
  async submit(call: WriteCall): Promise<unknown> {
    const [outcome] = this.commit([call]);
    if (outcome && 'result' in outcome) return outcome.result;
    throw outcome ? errorFrom(outcome.failure) : new Error('the writer gave no outcome');
  }

  /** Writes items to an alias or index; throws `index_missing` and, where `atomic`, the first failure. */
  items(target: string, items: readonly WriteItem[], options: ItemsOptions): readonly WriteItemResult[] {
    const indices = indicesOf(this.#catalogue, target);
    if (indices.length === 0) throw new NotFound('index_missing', `There is no index or alias ${target}.`);
    return items.map((item): WriteItemResult => {
      try {
        return this.#item(target, indices, item, options);
      } catch (error) {
        if (options.atomic || !isTriadError(error)) throw error;
        return { ok: false, id: item.id, failure: failureOf(error) };
      }
    });
  }

  /** Changes documents that were found. Returns as `conflicts` the keys of those that changed since. */
  changeFound(
    number: number,
    found: readonly Pick<DocumentRow, 'key' | 'seq'>[],
    change: readonly UpdateOperation[] | 'delete',
  ): { readonly changed: number; readonly conflicts: readonly number[] } {
    const index = this.#catalogue.indices.find((candidate) => candidate.number === number);
    const conflicts: number[] = [];
    let changed = 0;
    for (const { key, seq } of index ? found : []) {
      const row = index && this.#rows.read(index, key);
      if (!row) continue;
      if (row.present.seq !== seq) {
        conflicts.push(key);
        continue;
      }
      const document = change === 'delete' ? undefined : (parseJson(row.json) as Record<string, unknown>);
      if (document && change !== 'delete' && !applyOperations(document, change)) continue;
      changed += 1;
      if (document) this.#rows.replace(row.present, textOf(row.id, document));
      else this.#rows.remove(row.present);
    }
    return { changed, conflicts };
  }

  copyRows(copy: RowCopy): { readonly copied: number; readonly last: number | undefined } {
    const index = this.#catalogue.indices.find(({ number }) => number === copy.target);
    if (!index) throw new NotFound('index_missing', 'The index that rows are copied to is gone.');
    return this.#rows.copy(index, copy);
  }

  /** Forgets the log up to a change: the columns have it. */
  trim(seq: number): void {
    this.#rows.trim(seq);
  }

  /** Returns up to this number of deleted pages to the file system, and the number that is left. */
  vacuum(pages: number): number {
    this.#database.exec(`PRAGMA incremental_vacuum(${pages})`);
    return Number(this.#database.prepare('PRAGMA freelist_count').get()?.freelist_count);
  }

  /** @param args - those of the method of `IndexChanges` */
  administer(change: IndexChange, args: readonly unknown[]): IndexCatalogue {
    const changes = new IndexChanges(this.#database, this.#catalogue);
    (changes[change] as (...given: readonly unknown[]) => void).apply(changes, [...args]);
    this.#database.exec("UPDATE meta SET value = value + 1 WHERE name = 'catalogue'");
    this.#catalogue = readCatalogue(this.#database);
    return this.#catalogue;
  }

  #apply({ method, args }: WriteCall): unknown {
    return (this[method] as (...given: readonly unknown[]) => unknown).apply(this, args);
  }

  #transaction<R>(work: () => R): R {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#rows.writeGrowth();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#rows.reload();
      this.#catalogue = readCatalogue(this.#database);
      throw error;
    }
  }

  #item(
    target: string,
    indices: readonly CatalogueIndex[],
    item: WriteItem,
    { returnDocuments }: ItemsOptions,
  ): WrittenItem {
    const { id } = item;
    const present = this.#rows.find(indices, id);
    const existed = present !== undefined;
    checkVersion(item.ifVersion, present && { index: present.index.name, seq: present.seq }, target, id);
    if (item.kind === 'delete') {
      const version = present ? versionOf({ index: present.index.name, seq: this.#rows.remove(present) }) : '';
      return { ok: true, id, version, existed, json: undefined };
    }
    if (item.kind === 'update' && !present)
      throw new NotFound('document_missing', `${target}: there is no document ${id}.`);
    const index = present?.index ?? writeIndexOf(indices, target);
    if (!index)
      throw new Unavailable('no_write_index', `The alias ${target} has no write index. Mark one of its indices.`);
    const json = item.kind === 'save' ? item.json : this.#updated(id, present, item.operations);
    const seq = present ? this.#rows.replace(present, json) : this.#rows.insert(index, id, json);
    const version = versionOf({ index: index.name, seq });
    return { ok: true, id, version, existed, json: returnDocuments ? json : undefined };
  }

  #updated(id: string, present: Present | undefined, operations: readonly UpdateOperation[]): string {
    const row = present && this.#rows.read(present.index, present.key);
    const document = parseJson(row?.json ?? '') as Record<string, unknown>;
    applyOperations(document, operations);
    return textOf(id, document);
  }
}

/** Returns the stored form of a document. Throws `too_large`. */
export function textOf(id: string, document: unknown): string {
  const json = JSON.stringify(document);
  assertDocumentSize(id, document, json);
  return json;
}
