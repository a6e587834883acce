import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** Rows of one statement: half of the processor time of single rows. */
const ROWS = 50;

/**
 * Collects rows in any order. They are sorted once at the end, so that the table grows only at its
 * end.
 */
export class StagedTable {
  readonly #width: number;
  readonly #insert: (rows: number) => string;
  readonly #database: DatabaseSync;
  readonly #many: ReturnType<DatabaseSync['prepare']>;
  #values: SQLInputValue[] = [];
  /** Rows that were added. */
  count = 0;

  constructor(database: DatabaseSync, name: string, columns: readonly string[]) {
    this.#width = columns.length;
    this.#database = database;
    const row = `(${columns.map(() => '?').join(', ')})`;
    this.#insert = (rows) => `INSERT INTO ${name} VALUES ${Array(rows).fill(row).join(', ')}`;
    database.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
    this.#many = database.prepare(this.#insert(ROWS));
  }

  add(...row: SQLInputValue[]): void {
    this.#values.push(...row);
    this.count += 1;
    if (this.#values.length < ROWS * this.#width) return;
    this.#many.run(...this.#values);
    this.#values = [];
  }

  /** Writes the rows that are left. */
  flush(): void {
    if (this.#values.length === 0) return;
    this.#database.prepare(this.#insert(this.#values.length / this.#width)).run(...this.#values);
    this.#values = [];
  }
}
