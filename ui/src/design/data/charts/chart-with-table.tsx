import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { formatNumber } from '../values/numbers.ts';
import styles from './charts.module.css';

export interface ChartWithTableProps {
  /** The title of the chart, and the caption of its table. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly (string | number)[])[];
  readonly children: ReactNode;
  /** The meaning of the colours, in the line of the title. */
  readonly legend?: ReactNode;
  /** True where the title stands above already. */
  readonly hideLabel?: boolean;
}

const MAX_ROWS = 500;

/** Shows a chart, and at a press the table of the same numbers. */
export function ChartWithTable({ label, columns, rows, children, legend, hideLabel = false }: ChartWithTableProps) {
  const { t, i18n } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <figure className={styles.figure} aria-label={label}>
      <figcaption className={styles.caption}>
        <span>{hideLabel ? '' : label}</span>
        {legend === undefined ? null : <div className={styles.legend}>{legend}</div>}
        <button
          type="button"
          className={styles.toggle}
          aria-pressed={isTable}
          aria-label={t('data.chart.table', { label })}
          title={t('data.chart.table', { label })}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <ChartColumn size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
        </button>
      </figcaption>
      {isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={label}>
          <table className={styles.numbers}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_ROWS).map(([head, ...cells]) => (
                <tr key={String(head)}>
                  <th scope="row">{head}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index + 1]}>
                      {typeof cell === 'number' ? formatNumber(cell, i18n.language) : cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        children
      )}
    </figure>
  );
}
