import type { ReactNode } from 'react';

declare module 'react' {
  interface CSSProperties {
    '--columns'?: string;
    '--height-of-row'?: string;
  }
}

export interface Column<Row> {
  readonly id: string;
  /** The word at the head of the column. */
  readonly title: string;
  /** In pixels; `grow` columns share what is left, and take this at least. */
  readonly width: number;
  readonly grow?: boolean;
  readonly align?: 'start' | 'end';
  readonly sortable?: boolean;
  /** Draws a cell. Cheap: it runs for each row that scrolls into sight. */
  readonly cell: (row: Row, index: number) => ReactNode;
}

export interface Sort {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** Widths in pixels that the reader set, by column. */
export type ColumnWidths = Readonly<Record<string, number>>;

export const MIN_WIDTH = 32;
export const MAX_WIDTH = 1600;
const SELECTION_WIDTH = 28;

/** Returns the value of `grid-template-columns` that head and rows share. */
export function columnTemplate<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnWidths,
  withSelection: boolean,
): string {
  const tracks = columns.map(({ id, width, grow }) => {
    const set = widths[id];
    if (set !== undefined) return `${clampWidth(set)}px`;
    return grow ? `minmax(${width}px, 1fr)` : `${width}px`;
  });
  return [...(withSelection ? [`${SELECTION_WIDTH}px`] : []), ...tracks].join(' ');
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}

/**
 * Returns the next order of a column: descending first for what is usually wanted newest or largest
 * first.
 */
export function nextSort(sort: Sort | undefined, column: string): Sort {
  if (sort?.column !== column) return { column, direction: 'descending' };
  return { column, direction: sort.direction === 'descending' ? 'ascending' : 'descending' };
}
