import { BIGINT, BOOLEAN, type DuckDBType, FLOAT, LIST, VARCHAR } from '@duckdb/node-api';
import type { SearchKind } from '../../../documents/schema/field-types.ts';
import type { AccessKinds } from './access-kinds.ts';
import { ValueGrams } from './value-grams.ts';

export type ColumnKind = 'text' | 'string' | 'whole' | 'float' | 'boolean';

export interface ColumnType {
  readonly kind: ColumnKind;
  readonly list: boolean;
}

export interface Column extends ColumnType {
  readonly name: string;
  readonly path: string;
  /** A list holds a value more than once. */
  readonly repeats: boolean;
  /** The grams of a string or text column. */
  readonly grams?: ValueGrams;
}

export interface ColumnTable {
  readonly index: number;
  readonly fingerprint: string;
  readonly columns: Map<string, Column>;
  /** Grams of the identifiers of the documents. */
  readonly identifiers: ValueGrams;
  /** The access kinds of all tables. */
  readonly access: AccessKinds;
  /** The highest key of the documents that the log of changes does not list one by one. */
  until: number;
  /** The key up to which documents were scanned. */
  scanned: number;
  highestKey: number;
}

const COLUMN_KINDS: Record<SearchKind, ColumnKind | undefined> = {
  keyword: 'string',
  lowercase_keyword: 'string',
  text: 'text',
  ssdeep: 'text',
  integer: 'whole',
  long: 'whole',
  float: 'float',
  boolean: 'boolean',
  date: 'whole',
  ip: 'string',
  none: undefined,
};

const DUCKDB_TYPES: Record<ColumnKind, DuckDBType> = {
  text: VARCHAR,
  string: VARCHAR,
  whole: BIGINT,
  float: FLOAT,
  boolean: BOOLEAN,
};

/** Returns undefined for values that are never searched. */
export function columnKindOf(searchKind: SearchKind): ColumnKind | undefined {
  return COLUMN_KINDS[searchKind];
}

export function duckdbType({ kind, list }: ColumnType): DuckDBType {
  return list ? LIST(DUCKDB_TYPES[kind]) : DUCKDB_TYPES[kind];
}

export function sqlType({ kind, list }: ColumnType): string {
  return `${DUCKDB_TYPES[kind]}${list ? '[]' : ''}`;
}

export function tableName(index: number): string {
  return `documents_${index}`;
}

export function newGrams(kind: ColumnKind): { readonly grams?: ValueGrams } {
  return kind === 'string' || kind === 'text' ? { grams: new ValueGrams() } : {};
}

/** Returns the grams of a table with the stored number of each column; 0 is that of the identifiers. */
export function numberedGrams({ columns, identifiers }: ColumnTable): ReadonlyMap<number, ValueGrams> {
  const numbered = new Map([[0, identifiers]]);
  for (const { name, grams } of columns.values()) if (grams) numbered.set(Number(name.slice(1)) + 1, grams);
  return numbered;
}

export function isComplete({ scanned, until }: ColumnTable): boolean {
  return scanned >= until;
}
