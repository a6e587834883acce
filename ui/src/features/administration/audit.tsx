import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { operations } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { useDisplaySettings } from '../../design/data/display-settings.ts';
import type { Zone } from '../../design/data/values/date-format.ts';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { TextField } from '../../design/forms/text-field.tsx';
import { Toolbar } from '../../design/layout/page.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { readTimeRange, type TimeRange, timesOf, writeTimeRange } from '../query/model/time-range.ts';
import { TimePicker } from '../query/time/time-picker.tsx';
import styles from './administration.module.css';
import { useOperation } from './reading.tsx';

const ROWS = 100;

/** Security events, the newest first. */
export function Audit() {
  const { t } = useTranslation();
  const { zone } = useDisplaySettings();
  const { q: user, event, time = '' } = useSearch({ from: '/administration/$section' });
  const navigate = useNavigate({ from: '/administration/$section' });
  const [typed, setTyped] = useState(user ?? '');
  const read = readTimeRange(time);
  const range = read === 'not_a_range' ? undefined : read;
  const kinds = useOperation(['audit', 'kinds'], (signal) => operations.GET('/v1/audit/kinds', { signal }));
  const events = useInfiniteQuery({
    queryKey: ['operations', 'audit', user, event, time, zone],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: ROWS,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
        ...(user === undefined ? {} : { user }),
        ...(event === undefined ? {} : { event }),
        ...between(range, zone),
      };
      return (await operations.GET('/v1/audit', { params: { query }, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page?.next ?? undefined,
  });
  const label = t('administration.sections.audit');
  const pages = events.data?.pages ?? [];
  if (pages[0]?.available === false) {
    return <EmptyState title={t('administration.audit.off')}>{pages[0].hint}</EmptyState>;
  }
  const rows = pages.flatMap((page) => page?.events ?? []).map((record, index) => ({ record, index }));
  return (
    <div className={styles.reading}>
      <Toolbar label={label}>
        <Combobox
          label={t('administration.audit.kind')}
          options={(kinds.data?.kinds ?? []).map(({ event: value, description }) => ({
            value,
            label: value,
            detail: description,
          }))}
          value={event}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, event: next }) })}
        />
        <TimePicker
          value={range}
          onChange={(next) => {
            const written = writeTimeRange(next);
            void navigate({ search: (before) => ({ ...before, time: written === '' ? undefined : written }) });
          }}
        />
        <form
          className={styles.search}
          onSubmit={(submitted) => {
            submitted.preventDefault();
            void navigate({ search: (before) => ({ ...before, q: typed === '' ? undefined : typed }) });
          }}
        >
          <TextField label={t('administration.audit.user')} value={typed} onChange={setTyped} data />
        </form>
      </Toolbar>
      {events.error === null ? null : <ProblemPanel problem={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending ? <Loading /> : null}
      <SimpleTable
        isPageList
        label={label}
        rows={rows}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            id: 'time',
            title: t('administration.audit.time'),
            cell: ({ record }) => <Time value={String(record.time ?? '')} form="absolute" />,
          },
          {
            id: 'event',
            title: t('administration.audit.event'),
            cell: ({ record }) => <Value value={String(record.event ?? '')} />,
          },
          {
            id: 'user',
            title: t('administration.audit.user'),
            cell: ({ record }) => <Value value={String(record.user ?? '')} />,
          },
          {
            id: 'rest',
            title: t('administration.detail'),
            cell: ({ record }) => <Value value={restOf(record)} limit={300} />,
          },
        ]}
      />
      {events.hasNextPage ? (
        <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          {t('common.more')}
        </Button>
      ) : null}
    </div>
  );
}

/** Returns the times of a range as arguments of the search. */
function between(range: TimeRange | undefined, zone: Zone) {
  const { from, to } = timesOf(range, { now: new Date(), zone });
  return {
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}

/** Returns the members of an event that have no column. */
function restOf({ time: _time, event: _event, user: _user, ...rest }: Readonly<Record<string, unknown>>): string {
  return Object.entries(rest)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ');
}
