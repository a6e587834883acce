import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { EscalationMark, StatusMark } from '../../../design/data/marks/severity-marks.tsx';
import type { Column } from '../../../design/data/table/columns.ts';
import { DataTable } from '../../../design/data/table/data-table.tsx';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { SplitPane } from '../../../design/layout/split-pane.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { type Translate, useTranslation } from '../../../i18n/translation.ts';
import { EventPane } from '../../alerts/list/event-pane.tsx';
import { usePagedRows } from '../../query/results/use-paged-rows.ts';
import { type CaseRecord, caseRecords, recordOutline } from '../case-records.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { TimelineFilters } from './timeline-filters.tsx';
import { timelineFilters } from './timeline-query.ts';
import { CASES_KEY } from './use-case.ts';

/** Shows the alerts and events of a case in the order in which they were created at their source. */
export function TimelineTab({ present: { case_id: id, updated } }: CaseTabProps) {
  const { t } = useTranslation();
  const { event, escalation, attack } = useSearch({ from: '/cases/$id' });
  const navigate = useNavigate({ from: '/cases/$id' });
  const filters = timelineFilters({ escalation, attack });
  const show = (next: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, event: next }), replace: event !== undefined });
  const [active, setActive] = useState<number | undefined>(undefined);
  const { rowCount, total, rowAt, onVisibleRange, problem, retry } = usePagedRows(
    [...CASES_KEY, 'records', id, updated, filters],
    (offset, rows, signal) => caseRecords.page(id, { offset, rows, filters }, signal),
  );
  const list = (
    <div className={styles.fill}>
      <TimelineFilters caseId={id} updated={updated} />
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
          if (record === undefined) return;
          if (record.__index === 'event') return show(record.howler.id);
          void navigate({ to: '/alerts/$id', params: { id: record.howler.id } });
        }}
        empty={
          total === 0 ? (
            <EmptyState title={t(filters.length === 0 ? 'cases.timeline.none' : 'cases.timeline.noneFiltered')}>
              {filters.length === 0 ? t('cases.timeline.noneText') : null}
            </EmptyState>
          ) : undefined
        }
      />
    </div>
  );
  return (
    <SplitPane
      name="cases.timeline"
      label={t('cases.tabs.timeline')}
      first={list}
      second={
        event === undefined ? undefined : (
          <EventPane
            key={event}
            id={event}
            onClose={() => show(undefined)}
            onSearch={(q) => void navigate({ to: '/alerts', search: { q } })}
          />
        )
      }
    />
  );
}

function columns(t: Translate): Column<CaseRecord>[] {
  return [
    {
      id: 'time',
      title: t('cases.timeline.time'),
      width: 180,
      cell: ({ event, timestamp }) => <Time value={event?.created ?? timestamp} form="absolute" />,
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
      id: 'escalation',
      title: t('cases.members.escalation'),
      width: 112,
      cell: ({ howler: { escalation } }) => (escalation === undefined ? null : <EscalationMark value={escalation} />),
    },
    {
      id: 'status',
      title: t('cases.members.status'),
      width: 112,
      cell: ({ howler: { status } }) => (status === undefined ? null : <StatusMark value={status} />),
    },
  ];
}
