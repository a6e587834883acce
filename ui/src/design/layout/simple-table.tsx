import type { ReactElement, ReactNode } from 'react';
import styles from './simple-table.module.css';

export interface SimpleColumn<Row> {
  readonly id: string;
  /** Undefined for a column of buttons. */
  readonly title?: string | undefined;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end' | undefined;
}

export interface SimpleTableProps<Row> {
  /** Names the table to screen readers. */
  readonly label: string;
  readonly columns: readonly SimpleColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/**
 * Draws a table of few rows, all at once; long results are a DataTable. On small screens each cell is
 * a line with the head of its column.
 */
export function SimpleTable<Row>({ label, columns, rows, keyOf }: SimpleTableProps<Row>): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ id, title, align }) =>
              title === undefined ? (
                <td key={id} />
              ) : (
                <th key={id} scope="col" data-align={align}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, title, cell, align }) => (
                <td key={id} data-align={align} data-head={title}>
                  <div className={styles.content}>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
