import type { DuckDBConnection } from '@duckdb/node-api';
import type { CollectionDefinition } from '../../../documents/schema/collection-definition.ts';
import type { CheckedSelection } from '../../port/datastore-adapter.ts';
import { allOf, type QueryNode } from '../../port/query-tree.ts';
import { chunksOf, rowsOf, type SqlRow, type SqlValue, type TakeColumns } from '../columns/column-database.ts';
import type { ColumnTable } from '../columns/column-tables.ts';
import { compileCondition, type Resolved } from './sql-compiler.ts';
import { Statement } from './sql-statement.ts';

/** The arguments of every read of the columns; plain data that crosses threads, except for the signal. */
export interface ColumnSelection extends Pick<CheckedSelection, 'query' | 'access' | 'signal'> {
  /** Numbers of the indices behind the collection; none: nothing is found. */
  readonly indices: readonly number[];
  /** Milliseconds. */
  readonly timeout: number;
}

/** One read of the columns: a statement, or after `oneState` several that see one state. */
export class QueryContext {
  readonly definition: CollectionDefinition<unknown>;
  #selection: ColumnSelection;
  /** Answers for parts of the query that SQL cannot express, filled in before `matching` is called. */
  readonly resolutions = new Map<QueryNode, Resolved>();
  readonly #connection: DuckDBConnection;
  readonly #tables: readonly ColumnTable[];
  readonly #signal: AbortSignal;
  #statements = 0;
  #isInTransaction = false;
  #usesGrams = false;

  constructor(
    connection: DuckDBConnection,
    selection: ColumnSelection,
    definition: CollectionDefinition<unknown>,
    tables: readonly ColumnTable[],
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#selection = selection;
    this.definition = definition;
    this.#tables = tables;
    this.#signal = signal;
  }

  get selection(): ColumnSelection {
    return this.#selection;
  }

  /** Has to precede several statements, not one: a transaction costs as much as a small search. */
  async oneState(): Promise<void> {
    if (this.#isInTransaction) return;
    await this.#connection.run('BEGIN');
    this.#isInTransaction = true;
  }

  /** Begins like `oneState`, and takes the present state, which the first statement does. */
  async takeState(): Promise<void> {
    await this.oneState();
    await this.#connection.run('SELECT seq FROM position');
  }

  /** Takes the state, and leaves out of the query what the grams of columns exclude. */
  async narrow(narrow: (query: QueryNode, statement: Statement) => QueryNode): Promise<void> {
    // In this order: grams are never narrower than an earlier state, but may be than a later one.
    await this.takeState();
    const statement = new Statement(this.definition, this.#tables, true);
    this.#selection = { ...this.#selection, query: narrow(this.#selection.query, statement) };
  }

  /** Narrows the query, and leaves out of statements, too, what the grams of columns exclude. */
  async useGrams(narrow: (query: QueryNode, statement: Statement) => QueryNode): Promise<void> {
    await this.narrow(narrow);
    this.#usesGrams = true;
  }

  /** Releases the state; no statement follows. */
  async end(): Promise<void> {
    if (this.#isInTransaction) await this.#connection.run('ROLLBACK');
  }

  statement(): Statement {
    return new Statement(this.definition, this.#tables, this.#usesGrams);
  }

  /** Returns the condition for the documents found, and binds its values to the statement. */
  matching(statement: Statement): string {
    const { access, query } = this.selection;
    return compileCondition(allOf(access, query), statement, this.resolutions);
  }

  /** Returns the condition for all documents that the caller may see. */
  visible(statement: Statement): string {
    return compileCondition(this.selection.access, statement, this.resolutions);
  }

  /** Returns the condition for documents whose values patterns stand for: in scores, visible ones. */
  candidates(statement: Statement): string {
    return this.#usesGrams ? this.visible(statement) : 'true';
  }

  async rows(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    this.#statements += 1;
    if (this.#statements > 1 && !this.#isInTransaction) throw new Error('several statements of a read need one state');
    return rowsOf(this.#connection, sql, values, this.#signal);
  }

  /** Passes on the columns of each chunk of a result, which may have any size. */
  async eachChunk(sql: string, values: readonly SqlValue[], take: TakeColumns): Promise<void> {
    await chunksOf(this.#connection, sql, values, this.#signal, take);
  }
}
