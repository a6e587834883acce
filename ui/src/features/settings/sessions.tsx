import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { web } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import styles from './settings.module.css';

const sessionsQuery = {
  queryKey: ['web', 'sessions'],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await web.GET('/session/mine', { signal })).data?.sessions ?? [],
};

/** The browsers where this account is signed in; each of them can be signed out from here. */
export function Sessions() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: sessions = [], error, refetch } = useQuery(sessionsQuery);
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const end = useMutation({
    mutationFn: (id: string) => web.DELETE('/session/mine/{id}', { params: { path: { id } } }),
    onSuccess,
  });
  const endOthers = useMutation({ mutationFn: () => web.DELETE('/session/mine'), onSuccess });
  const problem = error ?? end.error ?? endOthers.error;
  return (
    <div className={styles.section}>
      <h2>{t('settings.tabs.sessions')}</h2>
      {problem === null ? null : <ProblemPanel problem={problem} onRetry={() => void refetch()} />}
      <SimpleTable
        isPageList
        label={t('settings.tabs.sessions')}
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'browser',
            title: t('settings.sessions.browser'),
            cell: ({ user_agent: agent }) => <Value value={agent} limit={200} />,
          },
          {
            id: 'address',
            title: t('settings.sessions.address'),
            cell: ({ address }) => <Value value={address} inline />,
          },
          {
            id: 'opened',
            title: t('settings.sessions.opened'),
            cell: ({ opened_at: opened }) => <Time value={opened} />,
          },
          { id: 'used', title: t('settings.sessions.used'), cell: ({ used_at: used }) => <Time value={used} /> },
          {
            id: 'ends',
            title: t('settings.sessions.ends'),
            cell: ({ idle_until: end }) => <Time value={end} form="absolute" />,
          },
          {
            id: 'end',
            align: 'end',
            cell: ({ id, is_current: isCurrent }) =>
              isCurrent ? (
                t('settings.sessions.current')
              ) : (
                <Button kind="quiet" busy={end.isPending} onClick={() => end.mutate(id)}>
                  {t('settings.sessions.end')}
                </Button>
              ),
          },
        ]}
      />
      {sessions.length > 1 ? (
        <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('settings.sessions.endOthers')}
        </Button>
      ) : null}
    </div>
  );
}
