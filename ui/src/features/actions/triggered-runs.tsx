import { useQuery } from '@tanstack/react-query';
import { Count } from '../../design/data/values/count.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { runsQuery, TRIGGERS } from './action-api.ts';
import styles from './actions.module.css';

/** Shows the last runs of an action by its triggers, the newest first. */
export function TriggeredRuns({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(runsQuery(id));
  return (
    <section className={styles.section} aria-labelledby="action-runs">
      <h2 id="action-runs">{t('actions.runs.title')}</h2>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={styles.hint}>{t('actions.runs.none')}</p>}
      {data !== undefined && data.length > 0 && (
        <SimpleTable
          label={t('actions.runs.title')}
          rows={data}
          keyOf={({ ended, user, cause }) => `${ended} ${user} ${cause}`}
          columns={[
            { id: 'ended', title: t('actions.runs.ended'), cell: ({ ended }) => <Time value={ended} /> },
            {
              id: 'cause',
              title: t('actions.runs.cause'),
              cell: ({ cause }) => {
                const known = TRIGGERS.find((one) => one === cause);
                return known === undefined ? cause : t(`actions.trigger.${known}`);
              },
            },
            { id: 'user', title: t('actions.runs.user'), cell: ({ user }) => <UserName user={user} /> },
            {
              id: 'records',
              title: t('actions.runs.records'),
              align: 'end',
              cell: ({ records }) => <Count value={records} />,
            },
            {
              id: 'outcomes',
              title: t('actions.runs.outcomes'),
              cell: ({ outcomes }) =>
                outcomes.map(({ operation_id: operation, outcome, message }) => (
                  <div key={`${operation} ${outcome} ${message}`} className={styles.outcome} data-outcome={outcome}>
                    <strong>{t(`alert.action.outcomes.${outcome}`)}</strong> <Value value={message} limit={200} />
                  </div>
                )),
            },
          ]}
        />
      )}
    </section>
  );
}
