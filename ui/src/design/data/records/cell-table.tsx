import type { WidgetCell } from '../../markup/template/pieces.ts';
import { Value } from '../values/value.tsx';
import styles from './records.module.css';

const MAX_ROWS = 200;

/**
 * Shows the cells of the `table` helper of overviews: columns and rows in the order of their first
 * cell.
 */
export function CellTable({ cells }: { readonly cells: readonly WidgetCell[] }) {
  const columns = [...new Set(cells.map(({ column }) => column))].slice(0, 40);
  const rows = new Map<string, Map<string, string>>();
  for (const { row, column, value } of cells) {
    const known = rows.get(row) ?? new Map<string, string>();
    if (!known.has(column)) known.set(column, value);
    rows.set(row, known);
  }
  return (
    <table className={styles.cells}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              <Value value={column.replaceAll(/[_-]/g, ' ')} limit={80} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...rows].slice(0, MAX_ROWS).map(([name, row]) => (
          <tr key={name}>
            {columns.map((column) => (
              <td key={column}>
                <Value value={row.get(column)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
