import { BIGINT, type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { LoggedCopy } from '../documents/document-reader.ts';
import { denseValues, fillVector } from './chunk-writer.ts';
import type { ColumnBatch } from './column-batch.ts';
import { type Column, type ColumnPosition, type ColumnTable, tableName } from './column-tables.ts';
import { type ColumnType, duckdbType, sqlType } from './column-types.ts';

const WHOLE: ColumnType = { kind: 'whole', list: false };
const STRING: ColumnType = { kind: 'string', list: false };

/** What one transaction changes. The tables themselves hear of it when it is committed. */
export class ColumnTransaction {
  readonly #connection: DuckDBConnection;
  readonly #appenders = new Map<ColumnTable, DuckDBAppender>();
  readonly #scans = new Map<ColumnTable, Pick<ColumnTable, 'until' | 'scanned'>>();
  readonly #highestKeys = new Map<ColumnTable, number>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
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
    const chunk = tableChunk(table, columns);
    fillChunk(chunk, columns, batch);
    const appender = this.#appenders.get(table) ?? (await this.#connection.createAppender(tableName(table.index)));
    this.#appenders.set(table, appender);
    appender.appendDataChunk(chunk);
    this.#noteKey(
      table,
      batch.keys.reduce((a, b) => Math.max(a, b)),
    );
  }

  /** Says that the documents up to the key were scanned. */
  scanned(table: ColumnTable, key: number): void {
    this.#scans.set(table, { ...this.#scanOf(table), scanned: key });
  }

  /** Says that the documents in `(after, last]` have to be scanned. */
  copied(table: ColumnTable, { after, last }: LoggedCopy): void {
    const { until, scanned } = this.#scanOf(table);
    this.#scans.set(table, { until: Math.max(until, last), scanned: Math.min(scanned, after) });
  }

  async finish({ opening, seq }: ColumnPosition): Promise<void> {
    for (const appender of this.#appenders.values()) appender.closeSync();
    for (const [{ index }, { until, scanned }] of this.#scans) {
      await this.#connection.run(
        `UPDATE tables SET until = ${until}, scanned = ${scanned} WHERE index_number = ${index}`,
      );
    }
    await this.#connection.run('UPDATE position SET opening = $1, seq = $2', [opening, BigInt(seq)]);
  }

  #scanOf(table: ColumnTable): Pick<ColumnTable, 'until' | 'scanned'> {
    return this.#scans.get(table) ?? { until: table.until, scanned: table.scanned };
  }

  #noteKey(table: ColumnTable, key: number): void {
    this.#highestKeys.set(table, Math.max(key, this.#highestKeys.get(table) ?? table.highestKey));
  }

  publish(): void {
    for (const [table, scan] of this.#scans) Object.assign(table, scan);
    for (const [table, key] of this.#highestKeys) table.highestKey = key;
  }
}

/** Chunks are used again: their memory is the database's, and comes free only when the garbage collector finds the time. */
const CHUNKS = new WeakMap<ColumnTable, { readonly layout: string; readonly chunk: DuckDBDataChunk }>();

function tableChunk(table: ColumnTable, columns: readonly Column[]): DuckDBDataChunk {
  const layout = columns.map(sqlType).join();
  const known = CHUNKS.get(table);
  if (known?.layout === layout) return known.chunk;
  const chunk = chunkOf(columns);
  CHUNKS.set(table, { layout, chunk });
  return chunk;
}

function chunkOf(columns: readonly Column[]): DuckDBDataChunk {
  return DuckDBDataChunk.create([BIGINT, BIGINT, VARCHAR, ...columns.map(duckdbType)], 0);
}

function fillChunk(chunk: DuckDBDataChunk, columns: readonly Column[], batch: ColumnBatch): void {
  chunk.reset();
  chunk.rowCount = batch.size;
  const vector = (at: number) => duckdb.data_chunk_get_vector(chunk.chunk, at);
  fillVector(vector(0), WHOLE, batch.size, denseValues(batch.keys));
  fillVector(vector(1), WHOLE, batch.size, denseValues(batch.sequences));
  fillVector(vector(2), STRING, batch.size, denseValues(batch.identifiers));
  for (const [at, column] of columns.entries()) {
    fillVector(vector(at + 3), column, batch.size, batch.column(column.path));
  }
}
