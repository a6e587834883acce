import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import type { Column } from '../../../design/data/table/columns.ts';
import { DataTable } from '../../../design/data/table/data-table.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { usePagedRows } from '../../query/results/use-paged-rows.ts';
import { type CaseRecord, caseApi, recordOutline } from '../case-api.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { CASES_KEY } from './use-case.ts';

/** Shows the alerts and events of a case in the order of their time. */
export function TimelineTab({ present: { case_id: id, updated } }: CaseTabProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [active, setActive] = useState<number | undefined>(undefined);
  const { rowCount, total, rowAt, onVisibleRange, problem, retry } = usePagedRows(
    [...CASES_KEY, 'records', id, updated],
    (offset, rows, signal) => caseApi.records(id, offset, rows, signal),
  );
  return (
    <div className={styles.fill}>
      {problem === null ? null : <ProblemPanel problem={problem} onRetry={retry} />}
      <DataTable
        isPageList
        label={t('cases.tabs.timeline')}
        columns={columns(t)}
        rowCount={rowCount}
        rowAt={rowAt}
        onVisibleRange={onVisibleRange}
        activeIndex={active}
        onActiveIndex={setActive}
        onOpen={(index) => {
          const record = rowAt(index);
          if (record === undefined || record.__index === 'event') return;
          void navigate({ to: '/alerts/$id', params: { id: record.howler.id } });
        }}
        empty={
          total === 0 ? (
            <EmptyState title={t('cases.timeline.none')}>{t('cases.timeline.noneText')}</EmptyState>
          ) : undefined
        }
      />
    </div>
  );
}

function columns(t: Translate): Column<CaseRecord>[] {
  return [
    {
      id: 'time',
      title: t('cases.timeline.time'),
      width: 180,
      cell: ({ timestamp }) => <Time value={timestamp} form="absolute" />,
    },
    {
      id: 'type',
      title: t('cases.items.type'),
      width: 72,
      cell: ({ __index: index }) => t(index === 'event' ? 'cases.types.event' : 'cases.types.hit'),
    },
    {
      id: 'analytic',
      title: t('cases.timeline.analytic'),
      width: 200,
      cell: ({ howler }) => <Value value={howler.analytic} inline />,
    },
    {
      id: 'outline',
      title: t('cases.timeline.outline'),
      width: 240,
      grow: true,
      cell: (record) => <Value value={recordOutline(record)} inline />,
    },
    {
      id: 'status',
      title: t('cases.members.status'),
      width: 112,
      cell: ({ howler: { status } }) => (status === undefined ? null : <StatusMark value={status} />),
    },
  ];
}
