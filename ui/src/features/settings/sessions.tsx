import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { web } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
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
    <section className={styles.section} aria-labelledby="settings-sessions">
      <h2 id="settings-sessions">{t('settings.tabs.sessions')}</h2>
      {problem === null ? null : <ProblemPanel problem={problem} onRetry={() => void refetch()} />}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('settings.sessions.browser')}</th>
            <th scope="col">{t('settings.sessions.address')}</th>
            <th scope="col">{t('settings.sessions.opened')}</th>
            <th scope="col">{t('settings.sessions.used')}</th>
            <th scope="col">{t('settings.sessions.ends')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <td>
                <Value value={session.user_agent} limit={80} />
              </td>
              <td>
                <Value value={session.address} />
              </td>
              <td>
                <Time value={session.opened_at} />
              </td>
              <td>
                <Time value={session.used_at} />
              </td>
              <td>
                <Time value={session.idle_until} form="absolute" />
              </td>
              <td>
                {session.is_current ? (
                  t('settings.sessions.current')
                ) : (
                  <Button kind="quiet" busy={end.isPending} onClick={() => end.mutate(session.id)}>
                    {t('settings.sessions.end')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.length > 1 ? (
        <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t('settings.sessions.endOthers')}
        </Button>
      ) : null}
    </section>
  );
}
