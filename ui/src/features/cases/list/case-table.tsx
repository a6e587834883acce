import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ApiProblem } from '../../../api/problem.ts';
import { EscalationMark, StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import type { Column } from '../../../design/data/table/columns.ts';
import { type TwoLines, twoLines } from '../../../design/data/table/two-lines.tsx';
import { Tags } from '../../../design/data/values/tags.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { PagedTable } from '../../query/results/paged-table.tsx';
import { usePagedRows } from '../../query/results/use-paged-rows.ts';
import { type CaseRow, caseApi } from '../case-api.ts';
import { CASE_LIST_KEY } from '../detail/use-case.ts';
import { caseSort, DEFAULT_SORT, tableSort } from './case-sort.ts';

const NARROW: TwoLines = {
  first: ['escalation', 'title', 'updated'],
  second: ['status', 'summary', 'tasks'],
  wide: ['title', 'summary'],
};

interface Props {
  /** Hears why a query was refused, for its mark in the query; undefined when it was not. */
  readonly onRefused: (problem: ApiProblem | undefined) => void;
}

/** Draws the cases of a query as a table. */
export function CaseTable({ onRefused }: Props) {
  const { t } = useTranslation();
  const { q, sort = DEFAULT_SORT } = useSearch({ from: '/cases' });
  const navigate = useNavigate();
  const columns = useMemo(() => caseColumns(t), [t]);
  const narrow = useMemo(() => twoLines(columns, NARROW), [columns]);
  const rows = usePagedRows([...CASE_LIST_KEY, q, sort], (offset, count, signal) =>
    caseApi.search({ query: q ?? '*:*', sort, offset, rows: count }, signal),
  );
  return (
    <PagedTable
      label={t('cases.title')}
      columns={columns}
      narrow={narrow}
      rows={rows}
      onOpenRow={({ case_id: id }) => void navigate({ to: '/cases/$id', params: { id } })}
      onRefused={onRefused}
      totalText={(count) => t('cases.total', { count })}
      sort={tableSort(sort)}
      onSort={(next) => {
        const wanted = caseSort(next);
        if (wanted !== undefined) void navigate({ to: '/cases', search: (before) => ({ ...before, sort: wanted }) });
      }}
      empty={<EmptyState title={t('cases.none')}>{t('cases.noneText')}</EmptyState>}
    />
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
