import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Conflict, isTriadError, NotFound, Unavailable } from '../../errors/errors.ts';
import { applyOperations } from '../apply-operations.ts';
import { checkVersion, versionOf } from '../versions.ts';
import { lastSequence, NO_KEY } from './document-database.ts';
import { DocumentTables } from './document-tables.ts';
import { applyAdminOperation } from './index-administration.ts';
import { type CatalogueIndex, type IndexCatalogue, indicesOf, readCatalogue, writeIndexOf } from './index-catalogue.ts';
import { isSqliteError, storageError } from './sqlite-errors.ts';
import { failureOf } from './write-failures.ts';
import type { WriteItem, WriteItemResult, WriteOutcome, WriteRequest } from './write-requests.ts';

interface Present {
  readonly index: CatalogueIndex;
  readonly key: number;
  readonly seq: number;
  readonly bytes: number;
}

/** What a transaction adds to the size of an index. */
interface Growth {
  readonly documents: number;
  readonly bytes: number;
}

type Request<K extends WriteRequest['kind']> = Extract<WriteRequest, { kind: K }>;

/** The only writer of a folder. Synchronous: runs where blocking does no harm. */
export class DocumentWriter {
  readonly #database: DatabaseSync;
  readonly #folder: string;
  readonly #tables: DocumentTables;
  readonly #log: StatementSync;
  readonly #grow: StatementSync;
  #growth = new Map<number, Growth>();
  #catalogue: IndexCatalogue;
  #seq: number;

  constructor(database: DatabaseSync, folder: string) {
    this.#database = database;
    this.#folder = folder;
    this.#tables = new DocumentTables(database);
    this.#log = database.prepare('INSERT INTO changes (seq, number, key) VALUES (?, ?, ?)');
    this.#grow = database.prepare('UPDATE indices SET documents = documents + ?, bytes = bytes + ? WHERE number = ?');
    this.#catalogue = readCatalogue(database);
    this.#seq = lastSequence(database);
  }

  get catalogue(): IndexCatalogue {
    return this.#catalogue;
  }

  get seq(): number {
    return this.#seq;
  }

  /**
   * Applies the requests in order as one transaction, so that they share one sync of the disk. A request that is refused changes
   * nothing and does not disturb the others; when storage fails, all fail and nothing is changed.
   */
  commit(requests: readonly WriteRequest[]): readonly WriteOutcome[] {
    try {
      return this.#transaction(() => requests.map((request) => this.#apply(request)));
    } catch (error) {
      if (isSqliteError(error)) return requests.map(() => failed(storageError(error, this.#folder)));
      // A defect in one request must not take its neighbours along.
      const [only] = requests;
      if (requests.length === 1 && only) return [failed(error)];
      return requests.flatMap((request) => this.commit([request]));
    }
  }

  #transaction<R>(work: () => R): R {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      for (const [index, { documents, bytes }] of this.#growth) this.#grow.run(documents, bytes, index);
      this.#growth.clear();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      this.#growth.clear();
      this.#tables.clear();
      this.#catalogue = readCatalogue(this.#database);
      this.#seq = lastSequence(this.#database);
      throw error;
    }
  }

  #apply(request: WriteRequest): WriteOutcome {
    try {
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
          return this.#trim(request.seq);
        case 'vacuum':
          this.#database.exec(`PRAGMA incremental_vacuum(${request.pages})`);
          return {
            kind: 'vacuum',
            left: Number(this.#database.prepare('PRAGMA freelist_count').get()?.freelist_count),
          };
        case 'admin':
          this.#savepoint(() => applyAdminOperation(this.#database, this.#catalogue, request.operation));
          this.#database.exec("UPDATE meta SET value = value + 1 WHERE name = 'catalogue'");
          this.#catalogue = readCatalogue(this.#database);
          return { kind: 'admin', catalogue: this.#catalogue };
      }
    } catch (error) {
      if (isTriadError(error)) return failed(error);
      throw error;
    }
  }

  /** Undoes what `work` wrote when it throws; the transaction around it goes on. */
  #savepoint<R>(work: () => R): R {
    const seq = this.#seq;
    const growth = new Map(this.#growth);
    this.#database.exec('SAVEPOINT request');
    try {
      const result = work();
      this.#database.exec('RELEASE request');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK TO request; RELEASE request');
      this.#seq = seq;
      this.#growth = growth;
      throw error;
    }
  }

  #items(request: Request<'items'>): readonly WriteItemResult[] {
    const indices = indicesOf(this.#catalogue, request.target);
    if (indices.length === 0) {
      throw new NotFound('index_missing', `There is no index or alias ${request.target}.`);
    }
    if (!request.atomic) return request.items.map((item) => this.#item(request, indices, item));
    let results: readonly WriteItemResult[] = [];
    try {
      this.#savepoint(() => {
        results = request.items.map((item) => this.#item(request, indices, item));
        if (results.some((result) => !result.ok)) throw new Conflict('not_applied', 'Another item of the bulk failed.');
      });
    } catch (error) {
      if (!isTriadError(error)) throw error;
      return results.map((result) => (result.ok ? { ok: false, id: result.id, failure: failureOf(error) } : result));
    }
    return results;
  }

  #item(request: Request<'items'>, indices: readonly CatalogueIndex[], item: WriteItem): WriteItemResult {
    try {
      const present = this.#find(indices, item.id);
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
      const seq = existed ? this.#replace(present, item.json) : this.#insert(index, item.id, item.json);
      return { ok: true, id: item.id, version: versionOf({ index: index.name, seq }), existed, json: item.json };
    }
    if (!present) {
      if (item.kind === 'delete') return { ok: true, id: item.id, version: '', existed, json: undefined };
      throw new NotFound('document_missing', `${target}: there is no document ${item.id}.`);
    }
    if (item.kind === 'delete') {
      const seq = this.#remove(present);
      return {
        ok: true,
        id: item.id,
        version: versionOf({ index: present.index.name, seq }),
        existed,
        json: undefined,
      };
    }
    const document = JSON.parse(String(this.#tables.statements(present.index.number).readAt.get(present.key)?.json));
    applyOperations(document, item.operations);
    const json = JSON.stringify(document);
    const seq = this.#replace(present, json);
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
        if (!dryRun) this.#remove(present);
        continue;
      }
      const document = JSON.parse(String(row.json));
      if (!applyOperations(document, change)) continue;
      changed += 1;
      if (!dryRun) this.#replace(present, JSON.stringify(document));
    }
    return { kind: 'changeFound', changed, conflicts };
  }

  #appendRows(request: Request<'appendRows'>): WriteOutcome {
    const index = this.#catalogue.indices.find(({ number }) => number === request.target);
    if (!index) throw new NotFound('index_missing', 'The index that rows are copied to is gone.');
    refuseBlocked(index);
    const { source, target, after } = request;
    const { copied, last } = this.#tables.copyRows(request);
    if (last === undefined) return { kind: 'appendRows', copied, last };
    const seq = this.#next();
    this.#log.run(seq, target, NO_KEY);
    this.#database.prepare('INSERT INTO copies VALUES (?, ?, ?, ?, ?)').run(seq, target, source, after, last);
    this.#count(index, copied, this.#tables.bytes(source, after, last));
    return { kind: 'appendRows', copied, last };
  }

  #trim(seq: number): WriteOutcome {
    const floor = Math.min(seq, this.#seq);
    this.#database.prepare('DELETE FROM changes WHERE seq <= ?').run(floor);
    this.#database.prepare('DELETE FROM copies WHERE seq <= ?').run(floor);
    this.#database.prepare("UPDATE meta SET value = max(value, ?) WHERE name = 'trimmed'").run(floor);
    return { kind: 'trim' };
  }

  #find(indices: readonly CatalogueIndex[], id: string): Present | undefined {
    for (const index of indices.toReversed()) {
      const row = this.#tables.statements(index.number).find.get(id);
      if (row) return { index, key: Number(row.key), seq: Number(row.seq), bytes: Number(row.bytes) };
    }
    return undefined;
  }

  #insert(index: CatalogueIndex, id: string, json: string): number {
    refuseBlocked(index);
    const seq = this.#next();
    const { lastInsertRowid } = this.#tables.statements(index.number).insert.run(id, seq, json);
    this.#log.run(seq, index.number, lastInsertRowid);
    this.#count(index, 1, Buffer.byteLength(json));
    return seq;
  }

  #replace({ index, key, bytes }: Present, json: string): number {
    refuseBlocked(index);
    const seq = this.#next();
    this.#tables.statements(index.number).replace.run(seq, json, key);
    this.#log.run(seq, index.number, key);
    this.#count(index, 0, Buffer.byteLength(json) - bytes);
    return seq;
  }

  #remove({ index, key, bytes }: Present): number {
    refuseBlocked(index);
    const seq = this.#next();
    this.#tables.statements(index.number).remove.run(key);
    this.#log.run(seq, index.number, key);
    this.#count(index, -1, -bytes);
    return seq;
  }

  #count({ number }: CatalogueIndex, documents: number, bytes: number): void {
    const before = this.#growth.get(number);
    this.#growth.set(number, { documents: (before?.documents ?? 0) + documents, bytes: (before?.bytes ?? 0) + bytes });
  }

  #next(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

function refuseBlocked(index: CatalogueIndex): void {
  if (index.writeBlocked) {
    throw new Unavailable(
      'write_blocked',
      `Writes to ${index.name} are blocked while an operation on it runs. Retry later.`,
    );
  }
}

function failed(error: unknown): WriteOutcome {
  return { kind: 'failed', failure: failureOf(error) };
}
