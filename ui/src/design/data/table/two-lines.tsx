import type { ReactNode } from 'react';
import type { Column } from './columns.ts';
import styles from './two-lines.module.css';

/** Columns by their places in a row of two lines; others are left out. */
export interface TwoLines {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Columns that share the width which the others leave, and are cut where it ends. */
  readonly wide: readonly string[];
  /** Columns that stand behind their title, because their values alone do not say what they are. */
  readonly named?: readonly string[];
}

/** Returns what draws a row of a narrow table in two lines, with the cells of its columns. */
export function twoLines<Row>(columns: readonly Column<Row>[], { first, second, wide, named = [] }: TwoLines) {
  const drawLine = (ids: readonly string[]) => {
    const shown = ids.flatMap((id) => columns.filter((column) => column.id === id));
    return (row: Row, index: number): ReactNode => (
      <div className={styles.line}>
        {shown.map(({ id, title, cell }) => (
          <span key={id} className={wide.includes(id) ? styles.wide : styles.part} data-column={id}>
            {named.includes(id) && <span className={styles.name}>{title} </span>}
            {cell(row, index)}
          </span>
        ))}
      </div>
    );
  };
  const [above, below] = [drawLine(first), drawLine(second)];
  return (row: Row, index: number): ReactNode => (
    <>
      {above(row, index)}
      {below(row, index)}
    </>
  );
}
