import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { type Column, type ColumnWidths, clampWidth, MAX_WIDTH, MIN_WIDTH, nextSort, type Sort } from './columns.ts';
import styles from './data-table.module.css';

const STEP = 16;

interface SelectAllProps {
  readonly state: 'none' | 'some' | 'all';
  readonly onAll: (() => void) | undefined;
}

export interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  readonly widths: ColumnWidths;
  readonly onResize: ((column: string, width: number) => void) | undefined;
  /** Undefined in a table without selection. */
  readonly selection: SelectAllProps | undefined;
}

/** Draws the heads of the columns: a button to sort by, and a handle for the width. */
export function TableHead<Row>({ columns, sort, onSort, widths, onResize, selection }: TableHeadProps<Row>) {
  const { t } = useTranslation();
  const offset = selection === undefined ? 1 : 2;
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {selection !== undefined && <SelectAll {...selection} />}
      {columns.map((column, place) => {
        const isSorted = sort?.column === column.id;
        return (
          <div
            key={column.id}
            role="columnheader"
            aria-colindex={place + offset}
            aria-sort={isSorted ? sort.direction : undefined}
            className={styles.headCell}
            data-align={column.align}
          >
            {column.sortable && onSort ? (
              <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column.id))}>
                <span className={styles.title}>{column.title}</span>
                {isSorted &&
                  (sort.direction === 'ascending' ? (
                    <ArrowUp size={16} aria-hidden />
                  ) : (
                    <ArrowDown size={16} aria-hidden />
                  ))}
              </button>
            ) : (
              <span className={styles.title}>{column.title}</span>
            )}
            {onResize && (
              <ResizeHandle
                label={t('data.table.resize', { column: column.title })}
                set={widths[column.id]}
                onResize={(width) => onResize(column.id, width)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Draws the first head: its box selects all rows, and no row. */
export function SelectAll({ state, onAll }: SelectAllProps) {
  const { t } = useTranslation();
  return (
    <div role="columnheader" aria-colindex={1}>
      <label className={styles.check}>
        <input
          type="checkbox"
          aria-label={t('data.table.selectAll')}
          checked={state === 'all'}
          ref={(box) => {
            if (box !== null) box.indeterminate = state === 'some';
          }}
          onChange={() => onAll?.()}
        />
      </label>
    </div>
  );
}

interface ResizeHandleProps {
  readonly label: string;
  readonly set: number | undefined;
  readonly onResize: (width: number) => void;
}

/** Changes a width by drag, and by the arrow keys in steps of 16 pixels. */
function ResizeHandle({ label, set, onResize }: ResizeHandleProps) {
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const widthOf = (handle: HTMLElement) => set ?? handle.parentElement?.offsetWidth ?? MIN_WIDTH;
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: widthOf(event.currentTarget) };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (drag.current !== undefined) onResize(clampWidth(drag.current.width + event.clientX - drag.current.x));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(clampWidth(widthOf(event.currentTarget) + step));
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuenow={set ?? MIN_WIDTH}
      tabIndex={0}
      className={styles.resize}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onKeyDown={onKeyDown}
    />
  );
}
