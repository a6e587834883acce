import {
  BIGINT,
  blobValue,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBValue,
  INTEGER,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { LoggedCopy } from '../documents/document-reader.ts';
import type { AccessKinds } from './access-kinds.ts';
import type { BatchColumn, ColumnBatch } from './column-batch.ts';
import {
  type Column,
  type ColumnTable,
  type ColumnType,
  duckdbType,
  numberedGrams,
  sqlType,
  tableName,
} from './column-tables.ts';
import { packUnsaved } from './value-grams.ts';

/** Values of the rows that have one, in ascending order of rows; in lists several of a row. */
type SparseValues = Pick<BatchColumn, 'rows' | 'values'>;
type Progress = Pick<ColumnTable, 'until' | 'scanned' | 'highestKey'>;

/** Collects the changes of one transaction; `publish` applies them to the tables after the commit. */
export class ColumnTransaction {
  readonly #connection: DuckDBConnection;
  readonly #access: AccessKinds;
  readonly #appenders = new Map<ColumnTable, DuckDBAppender>();
  readonly #progress = new Map<ColumnTable, Progress>();

  constructor(connection: DuckDBConnection, access: AccessKinds) {
    this.#connection = connection;
    this.#access = access;
  }

  async removeKeys(table: ColumnTable, keys: readonly number[]): Promise<void> {
    const present = keys.filter((key) => key <= table.highestKey);
    if (present.length === 0) return;
    await this.#connection.run(`DELETE FROM ${tableName(table.index)} WHERE k IN (${present.join(', ')})`);
  }

  /** Removes the keys in `(after, upTo]`. */
  async removeRange(table: ColumnTable, after: number, upTo: number): Promise<void> {
    if (table.highestKey <= after) return;
    await this.#connection.run(`DELETE FROM ${tableName(table.index)} WHERE k > ${after} AND k <= ${upTo}`);
  }

  /** Appends a batch that fits; nothing sees it before the transaction ends. Blocks. */
  async append(table: ColumnTable, batch: ColumnBatch): Promise<void> {
    if (batch.size === 0) return;
    const columns = [...table.columns.values()];
    const chunk = chunkOf(table, columns);
    chunk.reset();
    chunk.rowCount = batch.size;
    chunk.setColumnValues(0, batch.keys.map(BigInt));
    chunk.setColumnValues(1, batch.sequences.map(BigInt));
    chunk.setColumnValues(2, batch.identifiers);
    // Precedes the commit, as grams do: no state that can be read has a kind that is not known.
    chunk.setColumnValues(
      3,
      batch.accessTexts.map((text) => this.#access.numberOf(text)),
    );
    for (const [at, column] of columns.entries()) fillColumn(chunk, at + 4, column, batch.column(column.path));
    const appender = this.#appenders.get(table) ?? (await this.#connection.createAppender(tableName(table.index)));
    this.#appenders.set(table, appender);
    appender.appendDataChunk(chunk);
    addGrams(table, batch);
    const progress = this.#progressOf(table);
    for (const key of batch.keys) progress.highestKey = Math.max(progress.highestKey, key);
  }

  scanned(table: ColumnTable, key: number): void {
    this.#progressOf(table).scanned = key;
  }

  /** Notes that the documents in `(after, last]` have to be scanned. */
  copied(table: ColumnTable, { after, last }: LoggedCopy): void {
    const progress = this.#progressOf(table);
    progress.until = Math.max(progress.until, last);
    progress.scanned = Math.min(progress.scanned, after);
  }

  async finish(seq: number): Promise<void> {
    for (const [table, appender] of this.#appenders) {
      appender.closeSync();
      const grams = packUnsaved(numberedGrams(table));
      if (grams.length === 0) continue;
      await this.#connection.run(`INSERT INTO grams VALUES (${table.index}, $1)`, [blobValue(grams)]);
    }
    for (const [number, text] of this.#access.unsaved) {
      await this.#connection.run(`INSERT INTO access_kinds VALUES (${number}, $1)`, [text]);
    }
    for (const [table, { until, scanned }] of this.#progress) {
      if (until === table.until && scanned === table.scanned) continue;
      const values = `until = ${until}, scanned = ${scanned}`;
      await this.#connection.run(`UPDATE tables SET ${values} WHERE index_number = ${table.index}`);
    }
    await this.#connection.run(`UPDATE position SET seq = ${seq}`);
  }

  publish(): void {
    for (const table of this.#appenders.keys()) {
      for (const grams of numberedGrams(table).values()) grams.markSaved();
    }
    this.#access.markSaved();
    for (const [table, progress] of this.#progress) Object.assign(table, progress);
  }

  #progressOf(table: ColumnTable): Progress {
    const known = this.#progress.get(table);
    if (known) return known;
    const progress = { until: table.until, scanned: table.scanned, highestKey: table.highestKey };
    this.#progress.set(table, progress);
    return progress;
  }
}

/** Precedes the commit: a state that can be read is never wider than the grams. */
function addGrams(table: ColumnTable, batch: ColumnBatch): void {
  for (const id of batch.identifiers) table.identifiers.add(id);
  for (const { path, grams } of table.columns.values()) {
    if (grams) for (const value of batch.column(path)?.values ?? []) grams.add(String(value));
  }
}

/** Holds chunks for reuse: their memory is native and is freed only when the garbage collector runs. */
const CHUNKS = new WeakMap<ColumnTable, { readonly layout: string; readonly chunk: DuckDBDataChunk }>();

function chunkOf(table: ColumnTable, columns: readonly Column[]): DuckDBDataChunk {
  const layout = columns.map(sqlType).join();
  const known = CHUNKS.get(table);
  if (known?.layout === layout) return known.chunk;
  const chunk = DuckDBDataChunk.create([BIGINT, BIGINT, VARCHAR, INTEGER, ...columns.map(duckdbType)], 0);
  CHUNKS.set(table, { layout, chunk });
  return chunk;
}

/** Fills one column of a chunk with a value for each row; NULL where the document has none. */
export function fillColumn(
  chunk: DuckDBDataChunk,
  at: number,
  type: ColumnType,
  given: SparseValues | undefined,
): void {
  const cells = new Array<DuckDBValue>(chunk.rowCount).fill(null);
  const lists = new Map<number, DuckDBValue[]>();
  for (const [position, row] of (given?.rows ?? []).entries()) {
    const value = given?.values[position] ?? null;
    const cell = type.kind === 'whole' && typeof value === 'number' ? BigInt(value) : value;
    if (!type.list) cells[row] = cell;
    else if (lists.get(row)?.push(cell) === undefined) lists.set(row, [cell]);
  }
  for (const [row, items] of lists) cells[row] = listValue(items);
  chunk.setColumnValues(at, cells);
}
