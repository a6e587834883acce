import type { Column } from '../../../../design/data/table/columns.ts';
import type { AlertRow } from '../results/alert-source.ts';
import { narrowLines, takesWidth } from './narrow-lines.ts';
import styles from './narrow-row.module.css';
import { isSpecialColumn } from './special-columns.ts';

/** Returns what draws an alert in two lines, with the cells of the chosen columns. */
export function narrowRow(columns: readonly Column<AlertRow>[]) {
  const { first, second } = narrowLines(columns.map(({ id }) => id));
  const [above, below] = [first, second].map((ids) =>
    ids.flatMap((id) => columns.filter((column) => column.id === id)),
  );
  return (row: AlertRow, index: number) => (
    <>
      <Line columns={above} row={row} index={index} />
      <Line columns={below} row={row} index={index} />
    </>
  );
}

interface LineProps {
  readonly columns: readonly Column<AlertRow>[] | undefined;
  readonly row: AlertRow;
  readonly index: number;
}

function Line({ columns = [], row, index }: LineProps) {
  return (
    <div className={styles.line}>
      {columns.map(({ id, title, cell }) => (
        <span key={id} className={takesWidth(id) ? styles.wide : styles.part} data-column={id}>
          {/* No head names it here. */}
          {!isSpecialColumn(id) && <span className={styles.name}>{title} </span>}
          {cell(row, index)}
        </span>
      ))}
    </div>
  );
}
