import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useTranslation } from '../../../i18n/translation.ts';
import { Button } from '../../controls/button.tsx';
import { Menu } from '../../overlays/menu.tsx';
import { MenuItem } from '../../overlays/menu-item.tsx';
import { nextSort } from './columns.ts';
import styles from './data-table.module.css';
import { SelectAll, type TableHeadProps } from './table-head.tsx';

/** Draws one head above rows of two lines: all rows are selected here, and the order is a menu. */
export function NarrowHead<Row>({
  columns,
  sort,
  onSort,
  selection,
}: Omit<TableHeadProps<Row>, 'widths' | 'onResize'>) {
  const { t } = useTranslation();
  const sortable = onSort === undefined ? [] : columns.filter((column) => column.sortable);
  const sorted = columns.find(({ id }) => id === sort?.column);
  const direction = t(sort?.direction === 'ascending' ? 'data.table.ascending' : 'data.table.descending');
  const Arrow = sort?.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {selection !== undefined && <SelectAll {...selection} />}
      <div
        role="columnheader"
        aria-colindex={selection === undefined ? 1 : 2}
        aria-colspan={columns.length}
        className={styles.headCell}
        data-align="end"
      >
        {sortable.length > 0 && (
          <Menu
            align="end"
            trigger={
              <Button kind="quiet" icon={sorted === undefined ? ArrowUpDown : Arrow}>
                {sorted === undefined
                  ? t('data.table.sort')
                  : t('data.table.sorted', { column: sorted.title, direction })}
              </Button>
            }
          >
            {sortable.map(({ id, title }) => (
              <MenuItem
                key={id}
                icon={id === sort?.column ? Arrow : undefined}
                detail={id === sort?.column ? direction : undefined}
                onSelect={() => onSort?.(nextSort(sort, id))}
              >
                {title}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
    </div>
  );
}
