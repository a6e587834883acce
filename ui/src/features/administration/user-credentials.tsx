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

type Session = components['schemas']['UserSession'];
type ApiKey = components['schemas']['UserApiKey'];

/** The sessions and API keys of an account, each of which can be ended. */
export function UserCredentials({ username }: { username: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const key = ['user', username, 'credentials'];
  const result = useOperation(key, (signal) =>
    operations.GET('/v1/users/{username}/credentials', { params: { path: { username } }, signal }),
  );
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['operations', ...key] });
  const end = useMutation({
    mutationFn: ({ service, id }: Session) =>
      operations.DELETE('/v1/users/{username}/sessions/{service}/{id}', {
        params: { path: { username, service, id } },
      }),
    onSettled,
  });
  const revoke = useMutation({
    mutationFn: ({ name }: ApiKey) =>
      operations.DELETE('/v1/users/{username}/api-keys/{name}', { params: { path: { username, name } } }),
    onSettled,
  });
  const problem = end.error ?? revoke.error;
  return (
    <Reading label={t('administration.users.credentials')} result={result}>
      {({ sessions, api_keys: keys }) => (
        <>
          {problem === null ? null : <ProblemPanel problem={problem} />}
          <h3 className={styles.heading}>{t('administration.users.sessions', { count: sessions.length })}</h3>
          <SimpleTable<Session>
            label={t('administration.users.sessions', { count: sessions.length })}
            rows={sessions}
            keyOf={({ service, id }) => `${service} ${id}`}
            columns={[
              { id: 'service', title: t('administration.users.service'), cell: ({ service }) => service },
              {
                id: 'address',
                title: t('administration.users.address'),
                cell: ({ address }) => <Value value={address} />,
              },
              {
                id: 'opened',
                title: t('administration.users.opened'),
                cell: ({ opened_at: opened }) => (opened === null ? '–' : <Time value={opened} />),
              },
              {
                id: 'end',
                cell: (session) => (
                  <Button
                    kind="quiet"
                    aria-label={t('administration.users.endOf', { name: session.address ?? session.service })}
                    busy={end.isPending}
                    onClick={() => end.mutate(session)}
                  >
                    {t('administration.users.end')}
                  </Button>
                ),
              },
            ]}
          />
          <h3 className={styles.heading}>{t('administration.users.apiKeys', { count: keys.length })}</h3>
          <SimpleTable<ApiKey>
            label={t('administration.users.apiKeys', { count: keys.length })}
            rows={keys}
            keyOf={({ name }) => name}
            columns={[
              { id: 'name', title: t('common.name'), cell: ({ name }) => <Value value={name} /> },
              {
                id: 'privileges',
                title: t('administration.users.privileges'),
                cell: ({ privileges }) => privileges.join(', '),
              },
              {
                id: 'used',
                title: t('administration.users.used'),
                cell: ({ used_at: used }) => (used === null ? '–' : <Time value={used} />),
              },
              {
                id: 'revoke',
                cell: (apiKey) => (
                  <Button
                    kind="quiet"
                    aria-label={t('administration.users.revokeOf', { name: apiKey.name })}
                    busy={revoke.isPending}
                    onClick={() => revoke.mutate(apiKey)}
                  >
                    {t('administration.users.revoke')}
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
