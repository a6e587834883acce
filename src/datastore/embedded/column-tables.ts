import type { ColumnType } from './column-types.ts';

export interface Column extends ColumnType {
  readonly name: string;
  readonly path: string;
}

/** The columns of one index. */
export interface ColumnTable {
  readonly index: number;
  readonly fingerprint: string;
  readonly columns: Map<string, Column>;
  /** Documents up to this key were scanned; `complete`: all that were there when the table was begun. */
  scanned: number;
  complete: boolean;
  highestKey: number;
}

/** How far the columns follow which history of the documents. */
export interface ColumnPosition {
  readonly opening: string;
  readonly seq: number;
}

/** Name of the table with the columns of an index. */
export function tableName(index: number): string {
  return `documents_${index}`;
}
