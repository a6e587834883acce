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
  /** Documents that the log of changes does not tell one by one have keys up to here. */
  until: number;
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

/** Whether every document that has to be scanned has been. */
export function isComplete(table: ColumnTable): boolean {
  return table.scanned >= table.until;
}
