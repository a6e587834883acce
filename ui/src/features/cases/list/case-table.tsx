import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '../../../api/problem.ts';
import { EscalationMark, StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import type { Column } from '../../../design/data/table/columns.ts';
import { DataTable, type DataTableHandle } from '../../../design/data/table/data-table.tsx';
import { Tags } from '../../../design/data/values/tags.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { type CaseRow, caseApi } from '../case-api.ts';
import { CASE_LIST_KEY } from '../detail/use-case.ts';
import { usePagedRows } from '../use-paged-rows.ts';
import { caseSort, DEFAULT_SORT, tableSort } from './case-sort.ts';
import styles from './cases-page.module.css';

interface Props {
  /** Hears why a query was refused, for its mark in the query; undefined when it was not. */
  readonly onRefused: (problem: ApiProblem | undefined) => void;
}

/** Draws the cases of a query as a table. */
export function CaseTable({ onRefused }: Props) {
  const { t } = useTranslation();
  const { q, sort = DEFAULT_SORT } = useSearch({ from: '/cases' });
  const navigate = useNavigate();
  const table = useRef<DataTableHandle>(null);
  const [active, setActive] = useState<number | undefined>(undefined);
  const columns = useMemo(() => caseColumns(t), [t]);
  const { rowCount, total, rowAt, onVisibleRange, problem, retry } = usePagedRows(
    [...CASE_LIST_KEY, q, sort],
    (offset, rows, signal) => caseApi.search({ query: q ?? '*:*', sort, offset, rows }, signal),
  );
  const refused = problem instanceof ApiProblem && problem.status === 400 ? problem : undefined;
  useEffect(() => onRefused(refused), [refused, onRefused]);
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) void navigate({ to: '/cases/$id', params: { id: row.case_id } });
  };
  const go = (index: number) => setActive(Math.max(0, Math.min(rowCount - 1, index)));
  const page = () => table.current?.pageSize() ?? 10;
  useCommands([
    { id: 'next', run: () => go((active ?? -1) + 1) },
    { id: 'previous', run: () => go((active ?? 1) - 1) },
    { id: 'first', run: () => go(0) },
    { id: 'last', run: () => go(rowCount - 1) },
    { id: 'pageDown', run: () => go((active ?? 0) + page()) },
    { id: 'pageUp', run: () => go((active ?? 0) - page()) },
    { id: 'open', run: () => open(active ?? 0), isEnabled: active !== undefined },
  ]);
  return (
    <div className={styles.list}>
      <p className={styles.total} role="status">
        {total === undefined || refused !== undefined ? '' : t('cases.total', { count: total })}
      </p>
      {problem !== null && refused === undefined ? <ProblemPanel problem={problem} onRetry={retry} /> : null}
      <DataTable
        ref={table}
        label={t('cases.title')}
        columns={columns}
        rowCount={rowCount}
        rowAt={rowAt}
        onVisibleRange={onVisibleRange}
        activeIndex={active}
        onActiveIndex={setActive}
        onOpen={open}
        sort={tableSort(sort)}
        onSort={(next) => {
          const wanted = caseSort(next);
          if (wanted !== undefined) void navigate({ to: '/cases', search: (before) => ({ ...before, sort: wanted }) });
        }}
        empty={total === 0 ? <EmptyState title={t('cases.none')}>{t('cases.noneText')}</EmptyState> : undefined}
      />
    </div>
  );
}

function caseColumns(t: Translate): Column<CaseRow>[] {
  return [
    {
      id: 'escalation',
      title: t('cases.members.escalation'),
      width: 96,
      sortable: true,
      cell: ({ escalation }) => <EscalationMark value={escalation} />,
    },
    {
      id: 'status',
      title: t('cases.members.status'),
      width: 112,
      sortable: true,
      cell: ({ status }) => <StatusMark value={status} />,
    },
    {
      id: 'title',
      title: t('cases.members.title'),
      width: 240,
      grow: true,
      cell: ({ title }) => <Value value={title} inline />,
    },
    {
      id: 'summary',
      title: t('cases.members.summary'),
      width: 240,
      grow: true,
      cell: ({ summary }) => <Value value={summary} inline />,
    },
    {
      id: 'tasks',
      title: t('cases.columns.tasks'),
      width: 72,
      align: 'end',
      cell: ({ tasks = [] }) => (tasks.length === 0 ? null : `${openTasks(tasks)} / ${tasks.length}`),
    },
    {
      id: 'participants',
      title: t('cases.members.participants'),
      width: 160,
      cell: ({ participants = [] }) => <Tags values={participants} max={2} inline />,
    },
    {
      id: 'updated',
      title: t('cases.columns.updated'),
      width: 128,
      sortable: true,
      cell: ({ updated, created }) => <Time value={updated ?? created} />,
    },
    {
      id: 'created',
      title: t('cases.columns.created'),
      width: 128,
      sortable: true,
      cell: ({ created }) => <Time value={created} />,
    },
  ];
}

export function openTasks(tasks: NonNullable<CaseRow['tasks']>): number {
  return tasks.filter(({ complete }) => !complete).length;
}
