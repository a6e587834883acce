import type { ColumnType } from './column-types.ts';

export interface Column extends ColumnType {
  readonly name: string;
  readonly path: string;
  /** Some list holds a value more than once. */
  readonly repeats: boolean;
}

/** The columns of one index. */
export interface ColumnTable {
  readonly index: number;
  readonly fingerprint: string;
  readonly columns: Map<string, Column>;
  /** Documents that were there when the table was begun have keys up to here; later ones come by the log of changes. */
  readonly until: number;
  /** Documents up to this key were scanned. */
  scanned: number;
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

/** Whether every document that was there when the table was begun has been scanned. */
export function isComplete(table: ColumnTable): boolean {
  return table.scanned >= table.until;
}
