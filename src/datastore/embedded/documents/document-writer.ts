import type { DatabaseSync } from 'node:sqlite';
import { Conflict, isTriadError, NotFound, Unavailable } from '../../../errors/errors.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import { assertDocumentSize } from '../../port/collection.ts';
import { checkVersion, versionOf } from '../../port/versions.ts';
import { applyOperations } from '../../semantics/apply-operations.ts';
import { applyAdminOperation } from '../indices/index-administration.ts';
import {
  type CatalogueIndex,
  type IndexCatalogue,
  indicesOf,
  readCatalogue,
  writeIndexOf,
} from '../indices/index-catalogue.ts';
import { isSqliteError, storageError } from '../sqlite-errors.ts';
import { DocumentTables, LoggedRows, type Present } from './logged-rows.ts';
import {
  failureOf,
  type WriteItem,
  type WriteItemResult,
  type WriteOutcome,
  type WriteRequest,
} from './write-requests.ts';

type Request<K extends WriteRequest['kind']> = Extract<WriteRequest, { kind: K }>;

/** The only writer of a folder. Synchronous: runs where blocking does no harm. */
export class DocumentWriter {
  readonly #database: DatabaseSync;
  readonly #tables: DocumentTables;
  readonly #rows: LoggedRows;
  #catalogue: IndexCatalogue;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#tables = new DocumentTables(database);
    this.#rows = new LoggedRows(database, this.#tables);
    this.#catalogue = readCatalogue(database);
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  get seq(): number {
    return this.#rows.seq;
  }

  /**
   * Applies the requests in order as one transaction, so that they share one sync of the disk. A request that is refused changes
   * nothing and does not disturb the others, which are then applied one by one; when storage fails, all fail and nothing is changed.
   */
  commit(requests: readonly WriteRequest[]): readonly WriteOutcome[] {
    try {
      return this.#transaction(() => requests.map((request) => this.#apply(request)));
    } catch (error) {
      if (isSqliteError(error)) return requests.map(() => failed(storageError(error)));
      if (requests.length > 1) return requests.flatMap((request) => this.commit([request]));
      return [error instanceof NotApplied ? { kind: 'items', results: error.results } : failed(error)];
    }
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
      this.#tables.clear();
      this.#rows.reload();
      this.#catalogue = readCatalogue(this.#database);
      throw error;
    }
  }

  /** What it throws undoes the transaction. */
  #apply(request: WriteRequest): WriteOutcome {
    switch (request.kind) {
      case 'items':
        return { kind: 'items', results: this.#items(request) };
      case 'changeFound':
        return this.#changeFound(request);
      case 'copyRows':
        return { kind: 'copyRows', ...this.#tables.copyRows(request) };
      case 'appendRows':
        return this.#appendRows(request);
      case 'trim':
        this.#rows.trim(request.seq);
        return { kind: 'trim' };
      case 'vacuum':
        this.#database.exec(`PRAGMA incremental_vacuum(${request.pages})`);
        return {
          kind: 'vacuum',
          left: Number(this.#database.prepare('PRAGMA freelist_count').get()?.freelist_count),
        };
      case 'admin':
        applyAdminOperation(this.#database, this.#catalogue, request.operation);
        this.#database.exec("UPDATE meta SET value = value + 1 WHERE name = 'catalogue'");
        this.#catalogue = readCatalogue(this.#database);
        return { kind: 'admin', catalogue: this.#catalogue };
    }
  }

  #items(request: Request<'items'>): readonly WriteItemResult[] {
    const indices = indicesOf(this.#catalogue, request.target);
    if (indices.length === 0) {
      throw new NotFound('index_missing', `There is no index or alias ${request.target}.`);
    }
    const results = request.items.map((item) => this.#item(request, indices, item));
    if (request.atomic && results.some((result) => !result.ok)) throw new NotApplied(results);
    return results;
  }

  #item(request: Request<'items'>, indices: readonly CatalogueIndex[], item: WriteItem): WriteItemResult {
    try {
      const present = this.#rows.find(indices, item.id);
      checkVersion(item.ifVersion, present && { index: present.index.name, seq: present.seq }, request.target, item.id);
      const result = this.#write(request.target, indices, item, present);
      return request.returnDocuments ? result : { ...result, json: undefined };
    } catch (error) {
      if (!isTriadError(error)) throw error;
      return { ok: false, id: item.id, failure: failureOf(error) };
    }
  }

  #write(
    target: string,
    indices: readonly CatalogueIndex[],
    item: WriteItem,
    present: Present | undefined,
  ): Extract<WriteItemResult, { ok: true }> {
    const existed = present !== undefined;
    if (item.kind === 'save') {
      const index = present?.index ?? writeIndexOf(indices, target);
      if (!index)
        throw new Unavailable('no_write_index', `The alias ${target} has no write index. Mark one of its indices.`);
      const seq = existed ? this.#rows.replace(present, item.json) : this.#rows.insert(index, item.id, item.json);
      return { ok: true, id: item.id, version: versionOf({ index: index.name, seq }), existed, json: item.json };
    }
    if (!present) {
      if (item.kind === 'delete') return { ok: true, id: item.id, version: '', existed, json: undefined };
      throw new NotFound('document_missing', `${target}: there is no document ${item.id}.`);
    }
    if (item.kind === 'delete') {
      const seq = this.#rows.remove(present);
      return {
        ok: true,
        id: item.id,
        version: versionOf({ index: present.index.name, seq }),
        existed,
        json: undefined,
      };
    }
    const row = this.#tables.statements(present.index.number).readAt.get(present.key);
    const document = parseJson(String(row?.json)) as Record<string, unknown>;
    applyOperations(document, item.operations);
    const json = JSON.stringify(document);
    assertDocumentSize(item.id, document, json);
    const seq = this.#rows.replace(present, json);
    return { ok: true, id: item.id, version: versionOf({ index: present.index.name, seq }), existed, json };
  }

  #changeFound({ index: number, found, change, dryRun }: Request<'changeFound'>): WriteOutcome {
    const index = this.#catalogue.indices.find((candidate) => candidate.number === number);
    const statements = index && this.#tables.statements(number);
    const conflicts: number[] = [];
    let changed = 0;
    for (const { key, seq } of found) {
      const row = statements?.readAt.get(key);
      if (!index || !row) continue;
      if (row.seq !== seq) {
        conflicts.push(key);
        continue;
      }
      const present = { index, key, seq, bytes: Number(row.bytes) };
      if (change === 'delete') {
        changed += 1;
        if (!dryRun) this.#rows.remove(present);
        continue;
      }
      const document = parseJson(String(row.json)) as Record<string, unknown>;
      if (!applyOperations(document, change)) continue;
      changed += 1;
      if (dryRun) continue;
      const json = JSON.stringify(document);
      assertDocumentSize(String(row.id), document, json);
      this.#rows.replace(present, json);
    }
    return { kind: 'changeFound', changed, conflicts };
  }

  #appendRows(request: Request<'appendRows'>): WriteOutcome {
    const index = this.#catalogue.indices.find(({ number }) => number === request.target);
    if (!index) throw new NotFound('index_missing', 'The index that rows are copied to is gone.');
    return { kind: 'appendRows', ...this.#rows.append(index, request) };
  }
}

/** An item of an atomic bulk failed, so that the others are undone. */
class NotApplied extends Error {
  readonly results: readonly WriteItemResult[];

  constructor(results: readonly WriteItemResult[]) {
    super('an atomic bulk was not applied');
    const failure = failureOf(new Conflict('not_applied', 'Another item of the bulk failed.'));
    this.results = results.map((result) => (result.ok ? { ok: false, id: result.id, failure } : result));
  }
}

function failed(error: unknown): WriteOutcome {
  return { kind: 'failed', failure: failureOf(error) };
}
