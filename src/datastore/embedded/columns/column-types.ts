import { BIGINT, BOOLEAN, type DuckDBType, FLOAT, LIST, VARCHAR } from '@duckdb/node-api';
import type { SearchKind } from '../../../documents/schema/field-types.ts';

/** How the values of one field lie in the column store. */
export type ColumnKind = 'text' | 'string' | 'whole' | 'float' | 'boolean';

export interface ColumnType {
  readonly kind: ColumnKind;
  /** Every row holds a list. */
  readonly list: boolean;
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

/** Undefined: values of that kind are never searched. */
export function columnKindOf(searchKind: SearchKind): ColumnKind | undefined {
  return COLUMN_KINDS[searchKind];
}

export function duckdbType({ kind, list }: ColumnType): DuckDBType {
  return list ? LIST(DUCKDB_TYPES[kind]) : DUCKDB_TYPES[kind];
}

export function sqlType({ kind, list }: ColumnType): string {
  return `${DUCKDB_TYPES[kind]}${list ? '[]' : ''}`;
}
