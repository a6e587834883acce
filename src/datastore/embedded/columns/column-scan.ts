import { setImmediate } from 'node:timers/promises';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { DocumentReader, DocumentRow, DocumentVersion } from '../documents/document-reader.ts';
import { ColumnBatch } from './column-batch.ts';
import { chunksOf } from './column-database.ts';
import type { ColumnStore } from './column-store.ts';
import { type Column, type ColumnPosition, type ColumnTable, tableName } from './column-tables.ts';
import { type SharedFields, sharedFields } from './shared-fields.ts';
import type { StoredDefinitions } from './stored-definitions.ts';

/** Documents that are taken apart at once. Small batches die young, large ones make the heap grow. */
const BATCH_ROWS = 512;
/** Rows of one transaction of a scan; searches of other collections may have to wait for it. */
const SCAN_ROWS = 8192;
/** Rows of one transaction that takes columns over: a row group, which the database then writes only once. */
const TAKEN_ROWS = 61_440;
/** Characters of documents that are taken apart at once, and a document: their values take several times as much memory. */
export const MAX_BATCH_CHARACTERS = 8_000_000;
/** Values that are made from documents and kept until then. Bytes. */
const MADE_BYTES = 32_000_000;

/** Where a stretch of a table is made. */
export interface ScanContext {
  readonly store: ColumnStore;
  readonly reader: DocumentReader;
  /** The position does not move. */
  readonly position: ColumnPosition;
}

/** Makes the columns of documents that the log of changes does not tell one by one. */
export class ColumnScan {
  readonly #definitions: StoredDefinitions;
  readonly #shared = new Map<string, SharedFields>();

  constructor(definitions: StoredDefinitions) {
    this.#definitions = definitions;
  }

  /** A batch of whole documents. */
  batch(table: ColumnTable, rows: readonly (DocumentRow | undefined)[]): ColumnBatch {
    return batchOf(this.#definitions.get(table.fingerprint), rows);
  }

  /**
   * Makes a stretch of a table that is not complete, in order of keys. What the log has written there already is replaced.
   * @returns the number of rows
   */
  async stretch(context: ScanContext, table: ColumnTable): Promise<number> {
    const source = table.source === undefined ? undefined : context.store.tables.get(table.source);
    const shared = source && this.#sharedFields(source.madeBy, table.fingerprint);
    return shared && shared.columns.size > 0
      ? this.#takeOver(context, table, source, shared)
      : this.#scan(context, table);
  }

  async #scan({ store, reader, position }: ScanContext, table: ColumnTable): Promise<number> {
    const next = (after: number) => reader.between(table.index, after, table.until, BATCH_ROWS, MAX_BATCH_CHARACTERS);
    let rows = next(table.scanned);
    let batch = this.batch(table, rows);
    await store.prepare(table, batch.columns);
    let count = 0;
    await store.change(position, async (transaction) => {
      let { scanned } = table;
      for (let written = 0; written < SCAN_ROWS && store.fits(table, batch); written += BATCH_ROWS) {
        const last = isEnd(rows) ? table.until : (rows.at(-1)?.key ?? table.until);
        await transaction.removeRange(table, scanned, last);
        await transaction.append(table, batch);
        transaction.scanned(table, last);
        count += rows.length;
        if (last === table.until) return;
        scanned = last;
        await setImmediate();
        rows = next(scanned);
        batch = this.batch(table, rows);
      }
    });
    return count;
  }

  /**
   * As `#scan`, for documents that were copied from another index. A sequence number belongs to one write, so a row with the same key
   * and number there was made from the same document: what both definitions index alike is taken from its columns, and the document is
   * read for the rest alone. Whatever changed since, here or there, is read as a whole.
   */
  async #takeOver(
    { store, reader, position }: ScanContext,
    table: ColumnTable,
    source: ColumnTable,
    { columns, rest }: SharedFields,
  ): Promise<number> {
    const versions = reader.versions(table.index, table.scanned, table.until, TAKEN_ROWS);
    const end = versions.at(-1)?.key ?? table.until;
    const present = await versionsIn(store, source, table.scanned, end);
    const isSame = ({ key, seq }: DocumentVersion) => present.get(key) === seq;
    const same: ColumnBatch[] = [];
    const changed: ColumnBatch[] = [];
    let count = 0;
    for (let weight = 0; count < versions.length && weight < MADE_BYTES; count += BATCH_ROWS) {
      await setImmediate();
      const part = versions.slice(count, count + BATCH_ROWS);
      const taken = part.filter(isSame);
      if (rest.fields.length === 0 && taken.length === part.length) {
        same.push(bareBatch(part));
        continue;
      }
      const rows = reader.between(
        table.index,
        (part[0]?.key ?? 0) - 1,
        part.at(-1)?.key ?? 0,
        BATCH_ROWS,
        Number.POSITIVE_INFINITY,
      );
      const partial = batchOf(rest, rows.filter(isSame));
      const whole = this.batch(
        table,
        rows.filter((row) => !isSame(row)),
      );
      weight += partial.weight + whole.weight;
      if (partial.size > 0) same.push(partial);
      if (whole.size > 0) changed.push(whole);
    }
    const isLast = count >= versions.length && versions.length < TAKEN_ROWS;
    const last = isLast ? table.until : (versions[Math.min(count, versions.length) - 1]?.key ?? table.until);
    const taken = [...source.columns.values()].filter(({ path }) => columns.has(path));
    for (const batch of [...same, ...changed]) await store.prepare(table, batch.columns);
    await store.prepare(
      table,
      taken.map((column) => ({ ...column, isList: column.list })),
    );
    const values = new Map(taken.map((column) => takenValue(table, column)));
    await store.change(position, async (transaction) => {
      await transaction.removeRange(table, table.scanned, last);
      await transaction.take(source, table, values, same);
      for (const batch of changed) await transaction.append(table, batch);
      transaction.scanned(table, last);
    });
    return Math.min(count, versions.length);
  }

  #sharedFields(before: string, next: string): SharedFields {
    const key = `${before} ${next}`;
    const known = this.#shared.get(key);
    if (known) return known;
    const shared = sharedFields(this.#definitions.get(before), this.#definitions.get(next));
    this.#shared.set(key, shared);
    return shared;
  }
}

function batchOf(definition: CollectionDefinition<unknown>, rows: readonly (DocumentRow | undefined)[]): ColumnBatch {
  const batch = new ColumnBatch();
  for (const row of rows) if (row) batch.add(definition, row);
  return batch;
}

/** A batch of rows of which nothing has to be made. */
function bareBatch(versions: readonly DocumentVersion[]): ColumnBatch {
  const batch = new ColumnBatch();
  for (const version of versions) batch.addVersion(version);
  return batch;
}

/** The keys in `(after, last]` that a table has, with their sequence numbers. */
async function versionsIn(
  store: ColumnStore,
  table: ColumnTable,
  after: number,
  last: number,
): Promise<ReadonlyMap<number, number>> {
  const versions = new Map<number, number>();
  await store.database.withConnection((connection) =>
    chunksOf(
      connection,
      `SELECT k, s FROM ${tableName(table.index)} WHERE k > ${after} AND k <= ${last}`,
      [],
      undefined,
      ([keys = [], sequences = []]) => {
        for (const [at, key] of keys.entries()) versions.set(Number(key), Number(sequences[at]));
      },
    ),
  );
  return versions;
}

/** The column of the target, and what it holds of the source's. */
function takenValue(target: ColumnTable, { path, name, list }: Column): [string, string] {
  const column = target.columns.get(path);
  if (!column) throw new Error(`the table ${target.index} has no column ${path}`);
  const value = `taken.${name}`;
  return [column.name, column.list && !list ? `CASE WHEN ${value} IS NULL THEN NULL ELSE [${value}] END` : value];
}

/** Whether no more rows follow: there are fewer than asked for, and not because they are large. */
function isEnd(rows: readonly DocumentRow[]): boolean {
  return rows.length < BATCH_ROWS && rows.reduce((sum, { json }) => sum + json.length, 0) < MAX_BATCH_CHARACTERS;
}
