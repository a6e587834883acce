import { BIGINT, type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { denseValues, fillVector } from './chunk-writer.ts';
import type { ColumnBatch } from './column-batch.ts';
import { type ColumnPosition, type ColumnTable, tableName } from './column-tables.ts';
import { type ColumnType, duckdbType, sqlType } from './column-types.ts';

const WHOLE: ColumnType = { kind: 'whole', list: false };
const STRING: ColumnType = { kind: 'string', list: false };

/** What one transaction changes. The tables themselves hear of it when it is committed. */
export class ColumnTransaction {
  readonly #connection: DuckDBConnection;
  readonly #appenders = new Map<ColumnTable, DuckDBAppender>();
  readonly #scanned = new Map<ColumnTable, number>();
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
    const chunk = emptyChunk(table, batch.size);
    const vector = (at: number) => duckdb.data_chunk_get_vector(chunk.chunk, at);
    fillVector(vector(0), WHOLE, batch.size, denseValues(batch.keys));
    fillVector(vector(1), WHOLE, batch.size, denseValues(batch.sequences));
    fillVector(vector(2), STRING, batch.size, denseValues(batch.identifiers));
    for (const [at, column] of columns.entries()) {
      fillVector(vector(at + 3), column, batch.size, batch.column(column.path));
    }
    const appender = this.#appenders.get(table) ?? (await this.#connection.createAppender(tableName(table.index)));
    this.#appenders.set(table, appender);
    appender.appendDataChunk(chunk);
    const highest = this.#highestKeys.get(table) ?? table.highestKey;
    this.#highestKeys.set(
      table,
      batch.keys.reduce((a, b) => Math.max(a, b), highest),
    );
  }

  /** Says that the documents up to the key were scanned. */
  scanned(table: ColumnTable, key: number): void {
    this.#scanned.set(table, key);
  }

  async finish({ opening, seq }: ColumnPosition): Promise<void> {
    for (const appender of this.#appenders.values()) appender.closeSync();
    for (const [{ index }, key] of this.#scanned) {
      await this.#connection.run(`UPDATE tables SET scanned = ${key} WHERE index_number = ${index}`);
    }
    await this.#connection.run('UPDATE position SET opening = $1, seq = $2', [opening, BigInt(seq)]);
  }

  publish(): void {
    for (const [table, key] of this.#scanned) table.scanned = key;
    for (const [table, key] of this.#highestKeys) table.highestKey = key;
  }
}

/** Chunks are used again: their memory is the database's, and comes free only when the garbage collector finds the time. */
const CHUNKS = new WeakMap<ColumnTable, { readonly layout: string; readonly chunk: DuckDBDataChunk }>();

function emptyChunk(table: ColumnTable, rowCount: number): DuckDBDataChunk {
  const columns = [...table.columns.values()];
  const layout = columns.map(sqlType).join();
  const known = CHUNKS.get(table);
  if (known?.layout === layout) {
    known.chunk.reset();
    known.chunk.rowCount = rowCount;
    return known.chunk;
  }
  const chunk = DuckDBDataChunk.create([BIGINT, BIGINT, VARCHAR, ...columns.map(duckdbType)], rowCount);
  CHUNKS.set(table, { layout, chunk });
  return chunk;
}
