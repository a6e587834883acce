import type { ReactElement, ReactNode } from 'react';
import styles from './simple-table.module.css';
import { useRowFocus } from './use-row-focus.ts';

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
  /** True for the list that the page is about: the keys of its rows work wherever the focus is. */
  readonly isPageList?: boolean | undefined;
}

/**
 * Draws a table of few rows, all at once; long results are a DataTable. Arrows move the focus from row
 * to row, Enter opens one. On small screens each cell is a line with the head of its column.
 */
export function SimpleTable<Row>(props: SimpleTableProps<Row>): ReactElement {
  const { label, columns, rows, keyOf, isPageList = false } = props;
  const { table, onKeyDown } = useRowFocus(isPageList);
  return (
    <section
      ref={table}
      className={styles.scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard.
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
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
            <tr key={keyOf(row)} tabIndex={-1}>
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
