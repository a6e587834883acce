import { BIGINT, type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { LoggedCopy } from '../documents/document-reader.ts';
import { denseValues, fillVector } from './chunk-writer.ts';
import type { ColumnBatch } from './column-batch.ts';
import { type Column, type ColumnPosition, type ColumnTable, tableName } from './column-tables.ts';
import { type ColumnType, duckdbType, sqlType } from './column-types.ts';

const WHOLE: ColumnType = { kind: 'whole', list: false };
const STRING: ColumnType = { kind: 'string', list: false };
/** Temporary table with what is made from the documents of rows whose other columns are taken over. */
const MADE = 'made_columns';

/** What one transaction changes. The tables themselves hear of it when it is committed. */
export class ColumnTransaction {
  readonly #connection: DuckDBConnection;
  readonly #appenders = new Map<ColumnTable, DuckDBAppender>();
  readonly #scans = new Map<ColumnTable, Pick<ColumnTable, 'until' | 'scanned' | 'source'>>();
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

  /** Says that the documents in `(after, last]` have to be scanned, and where they come from. */
  copied(table: ColumnTable, { source, after, last }: LoggedCopy): void {
    const { until, scanned } = this.#scanOf(table);
    this.#scans.set(table, { source, until: Math.max(until, last), scanned: Math.min(scanned, after) });
  }

  /**
   * Takes columns of another table over, for the rows that `batches` name. The columns of the batches themselves come from there.
   * `taken`: of the source, by their name in the target.
   */
  async take(
    source: ColumnTable,
    target: ColumnTable,
    taken: ReadonlyMap<string, string>,
    batches: readonly ColumnBatch[],
  ): Promise<void> {
    const [first, last] = [batches[0]?.keys[0], batches.at(-1)?.keys.at(-1)];
    if (first === undefined || last === undefined) return;
    const made = [...target.columns.values()].filter(({ path }) => batches.some((batch) => batch.column(path)));
    const types = ['k BIGINT', 's BIGINT', 'id VARCHAR', ...made.map((column) => `${column.name} ${sqlType(column)}`)];
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE ${MADE} (${types.join(', ')})`);
    const appender = await this.#connection.createAppender(MADE, 'main', 'temp');
    const chunk = chunkOf(made);
    for (const batch of batches) {
      fillChunk(chunk, made, batch);
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    const names = [...taken.keys(), ...made.map(({ name }) => name)];
    const values = [...taken.values(), ...made.map(({ name }) => `made.${name}`)];
    await this.#connection.run(`INSERT INTO ${tableName(target.index)} (${['k', 's', 'id', ...names].join(', ')})
      SELECT ${['made.k', 'made.s', 'taken.id', ...values].join(', ')}
      FROM ${tableName(source.index)} AS taken JOIN temp.main.${MADE} AS made ON taken.k = made.k
      WHERE taken.k BETWEEN ${first} AND ${last}`);
    await this.#connection.run(`DROP TABLE temp.main.${MADE}`);
    this.#noteKey(target, last);
  }

  async finish({ opening, seq }: ColumnPosition): Promise<void> {
    for (const appender of this.#appenders.values()) appender.closeSync();
    for (const [{ index }, { until, scanned, source }] of this.#scans) {
      await this.#connection.run(
        `UPDATE tables SET until = ${until}, scanned = ${scanned}, source = ${source ?? 'NULL'} WHERE index_number = ${index}`,
      );
    }
    await this.#connection.run('UPDATE position SET opening = $1, seq = $2', [opening, BigInt(seq)]);
  }

  #scanOf(table: ColumnTable): Pick<ColumnTable, 'until' | 'scanned' | 'source'> {
    return this.#scans.get(table) ?? { until: table.until, scanned: table.scanned, source: table.source };
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
