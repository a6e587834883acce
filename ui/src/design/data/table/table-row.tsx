import { type CSSProperties, memo, type ReactNode } from 'react';
import { useWords } from '../words.ts';
import type { Column } from './columns.ts';
import styles from './data-table.module.css';

export interface TableRowProps<Row> {
  readonly id: string;
  readonly index: number;
  /** Its place among all rows for screen readers, from 1, with the head. */
  readonly rowIndex: number;
  readonly top: number;
  readonly row: Row | undefined;
  readonly columns: readonly Column<Row>[];
  readonly isActive: boolean;
  /** Undefined in a table without selection. */
  readonly isSelected: boolean | undefined;
  readonly state: string | undefined;
  /** Draws the whole row where the table is narrow. */
  readonly narrow: ((row: Row, index: number) => ReactNode) | undefined;
}

/** Draws one row; it runs again only when one of its own values changes. */
function Row<Row>(props: TableRowProps<Row>) {
  const { id, index, rowIndex, top, row, columns, isActive, isSelected, state, narrow } = props;
  const style: CSSProperties = { top };
  const offset = isSelected === undefined ? 1 : 2;
  return (
    <div
      id={id}
      role="row"
      className={styles.row}
      style={style}
      data-index={index}
      data-active={isActive || undefined}
      data-state={state}
      aria-rowindex={rowIndex}
      aria-selected={isSelected ?? isActive}
      aria-busy={row === undefined || undefined}
    >
      {isSelected !== undefined && (
        <div role="gridcell" aria-colindex={1} className={styles.check} data-select={index}>
          <Check index={index} isSelected={isSelected} />
        </div>
      )}
      {row !== undefined && narrow !== undefined && (
        <div role="gridcell" aria-colindex={offset} aria-colspan={columns.length} className={styles.narrow}>
          {narrow(row, index)}
        </div>
      )}
      {(row === undefined || narrow === undefined) &&
        columns.map((column, place) => (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={place + offset}
            className={styles.cell}
            data-align={column.align}
          >
            {row === undefined ? <span className={styles.absent}>·</span> : column.cell(row, index)}
          </div>
        ))}
    </div>
  );
}

/** The type of a memoized generic component is lost without this. */
export const TableRow: typeof Row = memo(Row) as typeof Row;

/** The table listens: a box of its own for each row would be one more thing to make while scrolling. */
function Check({ index, isSelected }: { readonly index: number; readonly isSelected: boolean }) {
  const { t } = useWords();
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      readOnly
      checked={isSelected}
      aria-label={t('data.table.select', { number: index + 1 })}
    />
  );
}
