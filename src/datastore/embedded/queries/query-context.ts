import type { DuckDBConnection } from '@duckdb/node-api';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import { allOf, type QueryNode } from '../../port/query-tree.ts';
import { chunksOf, rowsOf, type SqlRow, type SqlValue } from '../columns/column-database.ts';
import type { ColumnTable } from '../columns/column-tables.ts';
import { needsResolution, resolveNodes } from './query-resolution.ts';
import { compileCondition, type Resolutions } from './sql-compiler.ts';
import { Statement } from './sql-statement.ts';

/** What every read of the columns says; plain data that crosses threads, but for the signal. */
export interface ColumnSelection {
  /** Numbers of the indices behind the collection; none: nothing is found. */
  readonly indices: readonly number[];
  /** All of them have to match: the query and its filters. */
  readonly nodes: readonly QueryNode[];
  /** What the caller may see; ANDed to everything, also where all documents are listed. */
  readonly access: QueryNode;
  /** Milliseconds. */
  readonly timeout: number;
  /** Does not cross threads: `ThreadedColumns` sends a message in its place. */
  readonly signal: AbortSignal | undefined;
}

/** One read of the columns: a statement, or after `oneState` several that see one state. */
export class QueryContext {
  readonly definition: CollectionDefinition<unknown>;
  readonly selection: ColumnSelection;
  readonly #connection: DuckDBConnection;
  readonly #tables: readonly ColumnTable[];
  readonly #signal: AbortSignal;
  #resolutions: Resolutions = new Map();
  #statements = 0;
  #isInTransaction = false;

  constructor(
    connection: DuckDBConnection,
    selection: ColumnSelection,
    definition: CollectionDefinition<unknown>,
    tables: readonly ColumnTable[],
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.selection = selection;
    this.definition = definition;
    this.#tables = tables;
    this.#signal = signal;
  }

  /** Says, before the first of them, that there will be several statements. A transaction costs one as much as a small search. */
  async oneState(): Promise<void> {
    if (this.#isInTransaction) return;
    await this.#connection.run('BEGIN');
    this.#isInTransaction = true;
  }

  /** As `oneState`, for the state of this moment: the database takes it with the first statement. */
  async takeState(): Promise<void> {
    await this.oneState();
    await this.#connection.run('SELECT seq FROM position');
  }

  /** Lets go of the state; nothing is asked any more. */
  async end(): Promise<void> {
    if (this.#isInTransaction) await this.#connection.run('ROLLBACK');
  }

  /** Has to run before `matching`. */
  async resolve(): Promise<void> {
    const nodes = [this.selection.access, ...this.selection.nodes];
    if (needsResolution(nodes)) await this.oneState();
    this.#resolutions = await resolveNodes(nodes, () => this.statement(), this);
  }

  statement(): Statement {
    return new Statement(this.definition, this.#tables);
  }

  /** Condition for the documents found. It binds values of the statement. */
  matching(statement: Statement): string {
    return compileCondition(allOf(this.selection.access, ...this.selection.nodes), statement, this.#resolutions);
  }

  /** Condition for all documents that the caller may see. */
  visible(statement: Statement): string {
    return compileCondition(this.selection.access, statement, this.#resolutions);
  }

  async rows(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    this.#statements += 1;
    if (this.#statements > 1 && !this.#isInTransaction) throw new Error('several statements of a read need one state');
    return rowsOf(this.#connection, sql, values, this.#signal);
  }

  /** As `rows`, column by column for each chunk of the result, for results of any size. */
  async eachChunk(
    sql: string,
    values: readonly SqlValue[],
    take: (columns: readonly (readonly SqlValue[])[]) => void | Promise<void>,
  ): Promise<void> {
    await chunksOf(this.#connection, sql, values, this.#signal, take);
  }
}
