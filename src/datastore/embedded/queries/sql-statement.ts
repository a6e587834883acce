import { listValue } from '@duckdb/node-api';
import { type CollectionDefinition, mappingFieldAbove } from '../../../documents/schema/collection-definition.ts';
import { ID_FIELD } from '../../../documents/schema/field-types.ts';
import type { SqlValue } from '../columns/column-database.ts';
import { type ColumnKind, type ColumnTable, type ColumnType, sqlType, tableName } from '../columns/column-tables.ts';
import { escapeToken, mappingColumnPath, mappingEntryPrefix, TOKEN_SEPARATOR } from './token-text.ts';

/** A field inside a statement. */
export interface SqlField extends ColumnType {
  /** A list may hold a value more than once. */
  readonly repeats: boolean;
  /** Expression of the value (the list of values), NULL where the document has none. */
  readonly sql: string;
}

interface StatementColumn extends ColumnType {
  readonly alias: string;
  readonly repeats: boolean;
}

/**
 * One statement in the making over the tables of some indices: the columns that it needs and the values that it binds. Columns of several
 * tables are named by the statement, since each table has names of its own; a table without the column takes part with NULL.
 */
export class Statement {
  readonly definition: CollectionDefinition<unknown>;
  readonly tables: readonly ColumnTable[];
  readonly values: SqlValue[] = [];
  /** The table, when there is one alone: its columns keep their names. */
  readonly #only: ColumnTable | undefined;
  readonly #fields = new Map<string, SqlField>();
  readonly #columns = new Map<string, StatementColumn>();

  constructor(definition: CollectionDefinition<unknown>, tables: readonly ColumnTable[]) {
    this.definition = definition;
    this.tables = tables;
    this.#only = tables.length === 1 ? tables[0] : undefined;
  }

  /** Placeholder of a bound value. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Expression of a bound list. */
  bindList(values: readonly SqlValue[], kind: ColumnKind): string {
    const type = `${this.typeName(kind)}[]`;
    // The type of an empty list cannot be told from its values.
    return values.length === 0 ? `[]::${type}` : `${this.bind(listValue([...values]))}::${type}`;
  }

  /** Undefined: no document of these indices has a value there, or it is not a searchable field. */
  field(path: string): SqlField | undefined {
    const known = this.#fields.get(path) ?? this.#field(path);
    if (known) this.#fields.set(path, known);
    return known;
  }

  #field(path: string): SqlField | undefined {
    if (path === ID_FIELD) return { kind: 'string', list: false, repeats: false, sql: 'id' };
    const column = this.#column(path);
    if (column) return { kind: column.kind, list: column.list, repeats: column.repeats, sql: column.alias };
    const mapping = mappingFieldAbove(this.definition, path);
    const entries = mapping && this.#column(mappingColumnPath(mapping.path));
    if (!mapping || !entries) return undefined;
    const prefix = mappingEntryPrefix(path.slice(mapping.path.length + 1));
    const start = this.bind(prefix);
    const values = `list_transform(list_filter(${entries.alias}, lambda e: starts_with(e, ${start})), lambda e: e[${prefix.length + 1}:])`;
    return { kind: 'string', list: true, repeats: true, sql: `nullif(${values}, [])` };
  }

  /** Expression of the number of the index that a row of `rows` is of. */
  get index(): string {
    return this.#only === undefined ? 'n' : String(this.#only.index);
  }

  typeName(kind: ColumnKind): string {
    return sqlType({ kind, list: false });
  }

  /**
   * The table expression of the documents that meet the condition, with every column that was asked for so far: `n` index, `k` key,
   * `s` sequence number, `id`, and the fields.
   */
  from(condition = 'true'): string {
    if (this.#only !== undefined) return `(${this.#selectFrom(this.#only)} WHERE ${condition})`;
    return condition === 'true' ? this.#union() : `(SELECT * FROM ${this.rows(condition)})`;
  }

  /** As `from`, for the place after FROM; `n` is there by `index` alone. One table is planned faster as itself than as a part of others. */
  rows(condition: string): string {
    return `${this.#only === undefined ? this.#union() : tableName(this.#only.index)} WHERE ${condition}`;
  }

  #union(): string {
    return `(${this.tables.map((table) => this.#selectFrom(table)).join(' UNION ALL ')})`;
  }

  #selectFrom(table: ColumnTable): string {
    const columns = [...this.#columns].map(([path, { alias, ...type }]) => {
      const column = table.columns.get(path);
      if (!column) return `NULL::${sqlType(type)} AS ${alias}`;
      const source =
        column.list === type.list
          ? column.name
          : `CASE WHEN ${column.name} IS NULL THEN NULL ELSE [${column.name}] END`;
      return `${source} AS ${alias}`;
    });
    return `SELECT ${[`${table.index} AS n`, 'k', 's', 'id', ...columns].join(', ')} FROM ${tableName(table.index)}`;
  }

  /** Condition that the text field holds the token. */
  containsToken(field: SqlField, token: string): string {
    return `contains(${field.sql}, ${this.bind(TOKEN_SEPARATOR + escapeToken(token) + TOKEN_SEPARATOR)})`;
  }

  #column(path: string): StatementColumn | undefined {
    const known = this.#columns.get(path);
    if (known) return known;
    const present = this.tables.map((table) => table.columns.get(path)).filter((column) => column !== undefined);
    const [first] = present;
    if (!first) return undefined;
    const column = {
      alias: this.#only === undefined ? `f${this.#columns.size}` : first.name,
      kind: first.kind,
      list: present.some(({ list }) => list),
      repeats: present.some(({ repeats }) => repeats),
    };
    this.#columns.set(path, column);
    return column;
  }
}

/** Text that LIKE takes literally, with the backslash for its escape. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
