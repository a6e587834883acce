import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import { rowAfter, rowStepOf } from '../../../keys/row-steps.ts';
import { useRowCommands } from '../../../keys/use-row-commands.ts';
import { type Column, type ColumnWidths, columnTemplate, type Sort } from './columns.ts';
import styles from './data-table.module.css';
import { NarrowHead } from './narrow-head.tsx';
import { useRowHeight } from './row-height.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useNarrow } from './use-narrow.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** A row was added or taken away, or chosen with all rows up to it. */
export type SelectHow = 'toggle' | 'range';

export interface DataTableHandle {
  readonly focus: () => void;
  readonly scrollTo: (index: number, align?: 'auto' | 'start' | 'center') => void;
  /** Rows that fit into sight. */
  readonly pageSize: () => number;
}

export interface DataTableProps<Row> {
  /** Names the table to screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** The rows of the whole result, also those that are not loaded. */
  readonly rowCount: number;
  /** Returns undefined for a row that is not loaded yet. Give another function when rows change. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Called with the rows in sight: load those, and keep what is near. */
  readonly onVisibleRange?: (first: number, last: number) => void;
  readonly activeIndex?: number | undefined;
  /** Called by arrow keys, Page Up, Page Down, Home, End and clicks. Default: the table keeps its row. */
  readonly onActiveIndex?: (index: number) => void;
  /** True for the list that the page is about: the keys of its rows work wherever the focus is. */
  readonly isPageList?: boolean | undefined;
  /** Enter, or a click without Shift, Control and Command. */
  readonly onOpen?: (index: number) => void;
  readonly isSelected?: (row: Row, index: number) => boolean;
  /** The space bar, which otherwise selects a row. */
  readonly onPeek?: (index: number) => void;
  readonly onSelect?: (index: number, how: SelectHow) => void;
  readonly selectionState?: 'none' | 'some' | 'all';
  readonly onSelectAll?: () => void;
  readonly sort?: Sort | undefined;
  readonly onSort?: (sort: Sort) => void;
  readonly widths?: ColumnWidths;
  readonly onResize?: (column: string, width: number) => void;
  /** `deleted` is struck through, `changed` and `new` have a line at their start. */
  readonly stateOf?: (row: Row) => 'deleted' | 'changed' | 'new' | undefined;
  readonly onRowMenu?: (event: MouseEvent, index: number) => void;
  /** Draws a row of two lines where the table is narrower than 560 pixels; keep the function. */
  readonly narrow?: ((row: Row, index: number) => ReactNode) | undefined;
  /** Shown below the heads when there are no rows. */
  readonly empty?: ReactNode;
  readonly ref?: Ref<DataTableHandle>;
}

const HEAD_HEIGHT = 28;
const NO_WIDTHS: ColumnWidths = {};

/**
 * Shows any number of rows of one height, of which only those in sight are in the page and in memory.
 * A script of 100,000 rows scrolls below 8 ms a frame: rows are memoized and move by one property.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rowCount, rowAt, isSelected, widths = NO_WIDTHS, onResize, onSort, sort } = props;
  const [ownIndex, setOwnIndex] = useState<number>();
  const [activeIndex, activate] =
    props.onActiveIndex === undefined ? [ownIndex, setOwnIndex] : [props.activeIndex, props.onActiveIndex];
  const { t } = useTranslation();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow(scroller) && props.narrow !== undefined;
  const rowHeight = useRowHeight(isNarrow ? 2 : 1);
  const withSelection = isSelected !== undefined;
  const hasHead = !isNarrow || withSelection || onSort !== undefined;
  const selection = withSelection ? { state: props.selectionState ?? 'none', onAll: props.onSelectAll } : undefined;
  const virtual = useVirtualRows({
    count: rowCount,
    rowHeight,
    scroller,
    keep: activeIndex,
    headHeight: hasHead ? HEAD_HEIGHT : 0,
    onVisibleRange: props.onVisibleRange,
  });
  const rowId = (index: number) => `${id}-${index}`;

  const scrollTo = virtual.scrollTo;
  const pageSize = virtual.pageSize;
  useImperativeHandle(props.ref, () => ({
    focus: () => scroller.current?.focus({ preventScroll: true }),
    scrollTo,
    pageSize: () => pageSize,
  }));
  useRowCommands({
    rowCount,
    activeIndex,
    onActiveIndex: activate,
    pageSize: () => pageSize,
    onOpen: props.onOpen,
    isOffered: props.isPageList === true,
  });
  const shownActive = useRef(activeIndex);
  useEffect(() => {
    if (activeIndex === shownActive.current) return;
    shownActive.current = activeIndex;
    if (activeIndex !== undefined) scrollTo(activeIndex);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = activeIndex ?? -1;
    const step = rowStepOf(event.key);
    const target = step && rowAfter(step, { activeIndex, rowCount, pageSize });
    if (target !== undefined) {
      if (event.shiftKey) props.onSelect?.(target, 'range');
      activate(target);
    } else if (event.key === 'Enter' && at >= 0 && props.onOpen) {
      props.onOpen(at);
    } else if (event.key === ' ' && at >= 0 && props.onPeek) {
      props.onPeek(at);
    } else if (event.key === ' ' && at >= 0 && props.onSelect) {
      props.onSelect(at, 'toggle');
    } else {
      return;
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const index = rowIndexOf(event.target);
    if (index === undefined) return;
    const isBox = event.target instanceof Element && event.target.closest('[data-select]') !== null;
    if (event.shiftKey) props.onSelect?.(index, 'range');
    else if (isBox || event.ctrlKey || event.metaKey) props.onSelect?.(index, 'toggle');
    else if (isControl(event.target) || hasSelectedText()) return;
    activate(index);
    if (!(isBox || event.shiftKey || event.ctrlKey || event.metaKey)) props.onOpen?.(index);
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const index = rowIndexOf(event.target) ?? (event.target === event.currentTarget ? activeIndex : undefined);
    if (index !== undefined) props.onRowMenu?.(event, index);
  };

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rowCount + (hasHead ? 1 : 0)}
      aria-colcount={columns.length + (withSelection ? 1 : 0)}
      aria-multiselectable={withSelection || undefined}
      aria-activedescendant={activeIndex !== undefined && activeIndex < rowCount ? rowId(activeIndex) : undefined}
      className={styles.table}
      data-narrow={isNarrow || undefined}
      style={{
        '--columns': isNarrow ? columnTemplate([], {}, withSelection) : columnTemplate(columns, widths, withSelection),
        '--height-of-row': `${rowHeight}px`,
      }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onContextMenu={props.onRowMenu && onContextMenu}
      // Shift and a click select rows, not letters.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      {hasHead && isNarrow && <NarrowHead columns={columns} sort={sort} onSort={onSort} selection={selection} />}
      {hasHead && !isNarrow && (
        <TableHead
          columns={columns}
          sort={sort}
          onSort={onSort}
          widths={widths}
          onResize={onResize}
          selection={selection}
        />
      )}
      <div role="rowgroup" className={styles.body} style={{ height: virtual.height }}>
        {virtual.rows.map(({ index, top }) => {
          const row = rowAt(index);
          return (
            <TableRow
              key={index}
              id={rowId(index)}
              index={index}
              rowIndex={index + (hasHead ? 2 : 1)}
              top={top}
              row={row}
              columns={columns}
              isActive={index === activeIndex}
              isSelected={isSelected && row !== undefined ? isSelected(row, index) : withSelection ? false : undefined}
              state={row === undefined ? undefined : props.stateOf?.(row)}
              narrow={isNarrow ? props.narrow : undefined}
            />
          );
        })}
      </div>
      {rowCount === 0 && <div className={styles.nothing}>{props.empty ?? t('data.table.empty')}</div>}
    </div>
  );
}

function rowIndexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset.index);
}

/** Returns whether a click belongs to a control inside of a row. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, select, textarea') !== null;
}

function hasSelectedText(): boolean {
  const selection = document.getSelection();
  return selection !== null && selection.type === 'Range' && selection.toString() !== '';
}
