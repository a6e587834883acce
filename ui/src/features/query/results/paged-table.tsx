import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../api/problem.ts';
import { DataTable, type DataTableHandle, type DataTableProps } from '../../../design/data/table/data-table.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useRowCommands } from '../../../keys/use-row-commands.ts';
import styles from './paged-table.module.css';
import type { PagedRows } from './use-paged-rows.ts';

interface Props<Row> extends Pick<DataTableProps<Row>, 'label' | 'columns' | 'sort' | 'onSort' | 'narrow'> {
  readonly rows: PagedRows<Row>;
  readonly onOpenRow: (row: Row) => void;
  /** Returns the number of rows in words. */
  readonly totalText: (total: number) => string;
  /** Shown where the query finds nothing. */
  readonly empty: ReactNode;
  /** Hears why the query was refused, for its mark in the query; undefined when it was not. */
  readonly onRefused: (problem: ApiProblem | undefined) => void;
}

/** Draws the result of a query: how many rows it has, and the table of those in sight, used by keys. */
export function PagedTable<Row>({ rows, onOpenRow, totalText, empty, onRefused, ...table }: Props<Row>) {
  const { rowCount, total, rowAt, onVisibleRange, problem, retry } = rows;
  const handle = useRef<DataTableHandle>(null);
  const [active, setActive] = useState<number>();
  const refused = problem instanceof ApiProblem && problem.status === 400 ? problem : undefined;
  useEffect(() => onRefused(refused), [refused, onRefused]);
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) onOpenRow(row);
  };
  useRowCommands({
    rowCount,
    activeIndex: active,
    onActiveIndex: setActive,
    pageSize: () => handle.current?.pageSize() ?? 0,
    onOpen: open,
  });
  return (
    <div className={styles.list}>
      <p className={styles.total} role="status">
        {total === undefined || refused !== undefined ? '' : totalText(total)}
      </p>
      {problem !== null && refused === undefined ? <ProblemPanel problem={problem} onRetry={retry} /> : null}
      <DataTable
        {...table}
        ref={handle}
        rowCount={rowCount}
        rowAt={rowAt}
        onVisibleRange={onVisibleRange}
        activeIndex={active}
        onActiveIndex={setActive}
        onOpen={open}
        empty={total === 0 ? empty : undefined}
      />
    </div>
  );
}
