import { useMutation, useQueryClient } from '@tanstack/react-query';
import { operations } from '../../api/clients.ts';
import type { components } from '../../api/generated/operations.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';

type Job = components['schemas']['Job'];

/** Scheduled work: when it ran, what came of it, when it runs next; each can be begun now. */
export function Jobs() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const label = t('administration.sections.jobs');
  const result = useOperation(['jobs'], (signal) => operations.GET('/v1/jobs', { signal }));
  const run = useMutation({
    mutationFn: (name: string) => operations.POST('/v1/jobs/{name}/run', { params: { path: { name } } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['operations', 'jobs'] }),
  });
  return (
    <Reading label={label} result={result}>
      {({ jobs }) => (
        <>
          {run.error === null ? null : <ProblemPanel problem={run.error} />}
          <SimpleTable
            isPageList
            label={label}
            rows={jobs}
            keyOf={({ name }) => name}
            columns={[
              {
                id: 'name',
                title: t('administration.jobs.job'),
                cell: ({ name, summary }) => (
                  <>
                    <Value value={name} />
                    <div className={styles.detail}>{summary}</div>
                  </>
                ),
              },
              {
                id: 'schedule',
                title: t('administration.jobs.schedule'),
                cell: ({ crontab, time_zone: zone }) => <Value value={`${crontab} ${zone}`} />,
              },
              { id: 'last', title: t('administration.jobs.last'), cell: (job) => <LastRun job={job} /> },
              {
                id: 'next',
                title: t('administration.jobs.next'),
                cell: ({ next_run: next, enabled }) =>
                  next !== null && enabled ? <Time value={next} /> : t('administration.jobs.off'),
              },
              {
                id: 'run',
                cell: ({ name, available, running }) => (
                  <Button
                    kind="quiet"
                    aria-label={t('administration.jobs.runOf', { name })}
                    disabled={!available}
                    busy={running !== null || (run.isPending && run.variables === name)}
                    onClick={() => run.mutate(name)}
                  >
                    {running === null ? t('administration.jobs.run') : t('administration.jobs.running')}
                  </Button>
                ),
              },
            ]}
          />
        </>
      )}
    </Reading>
  );
}

function LastRun({ job: { last_run: last } }: { job: Job }) {
  const { t } = useTranslation();
  if (last === null) return t('administration.jobs.never');
  const isFailed = last.outcome !== 'done';
  return (
    <>
      <Time value={last.ended_at} />{' '}
      <span className={isFailed ? styles.failed : undefined}>{t(`administration.jobs.outcomes.${last.outcome}`)}</span>
      <div className={styles.detail}>{last.error ?? t('administration.jobs.changed', { count: last.changed })}</div>
    </>
  );
}
