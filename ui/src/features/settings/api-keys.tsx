import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { alerts, analysis, dataOf } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands, useKeys } from '../../keys/commands.tsx';
import { accountQuery, useAccount } from '../../shell/session-context.tsx';
import { ApiKeyForm, NewKey } from './api-key-form.tsx';
import type { NewApiKey } from './key-command.ts';
import styles from './settings.module.css';

/** The API keys of the account: what they may do, until when; new ones and their end. */
export function ApiKeys() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: account, error, refetch } = useAccount();
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<NewApiKey | undefined>(undefined);
  const [revoking, setRevoking] = useState<string | undefined>(undefined);
  const reread = () => queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
  const revoke = useMutation({
    mutationFn: (name: string) => alerts.DELETE('/api/v1/auth/apikey/{name}', { params: { path: { name } } }),
    onSuccess: reread,
  });
  const keys = account?.apikeys ?? [];
  const uses = useKeyUses(account?.username);
  const lastUse = (name: string) => {
    if (uses.data === undefined) return uses.isError ? t('settings.keys.useUnknown') : null;
    const used = uses.data.get(name);
    return typeof used === 'string' ? <Time value={used} /> : t('settings.keys.neverUsed');
  };
  useCommands([{ id: 'create', name: t('settings.keys.create'), run: () => setCreating(true) }]);
  const create = (
    <Button kind="primary" icon={Plus} keys={useKeys('create')} onClick={() => setCreating(true)}>
      {t('settings.keys.create')}
    </Button>
  );
  return (
    <div className={styles.section}>
      <h2>{t('settings.tabs.keys')}</h2>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {uses.isError && <ProblemPanel problem={uses.error} onRetry={() => void uses.refetch()} />}
      {account !== undefined && keys.length === 0 ? (
        <EmptyState title={t('settings.keys.empty')} action={create}>
          {t('settings.keys.emptyText')}
        </EmptyState>
      ) : (
        <>
          <div>{create}</div>
          <SimpleTable
            isPageList
            label={t('settings.tabs.keys')}
            rows={keys}
            keyOf={([name]) => name}
            columns={[
              { id: 'name', title: t('common.name'), cell: ([name]) => <Value value={name} /> },
              {
                id: 'privileges',
                title: t('settings.keys.privileges'),
                cell: ([, privileges]) =>
                  privileges.map((one) => t(`settings.keys.privilege.${privilegeOf(one)}`)).join(', '),
              },
              { id: 'used', title: t('settings.keys.used'), cell: ([name]) => lastUse(name) },
              {
                id: 'expires',
                title: t('settings.keys.expires'),
                cell: ([, , expiry]) =>
                  expiry === null ? t('settings.keys.never') : <Time value={expiry} form="absolute" />,
              },
              {
                id: 'revoke',
                cell: ([name]) => (
                  <Button
                    kind="quiet"
                    aria-label={t('settings.keys.revokeOf', { name })}
                    onClick={() => setRevoking(name)}
                  >
                    {t('settings.keys.revoke')}
                  </Button>
                ),
              },
            ]}
          />
        </>
      )}
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('settings.keys.create')} size="small">
        <ApiKeyForm
          onCancel={() => setCreating(false)}
          onCreated={async (created) => {
            await reread();
            setCreating(false);
            setMade(created);
          }}
        />
      </Dialog>
      <Dialog
        open={made !== undefined}
        onClose={() => setMade(undefined)}
        title={t('settings.keys.created')}
        description={t('settings.keys.shownOnce')}
      >
        {made === undefined ? null : <NewKey created={made} />}
      </Dialog>
      <ConfirmDialog
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={t('settings.keys.revokeOf', { name: revoking ?? '' })}
        confirmLabel={t('settings.keys.revoke')}
        onConfirm={() => (revoking === undefined ? undefined : revoke.mutateAsync(revoking))}
        danger
      >
        {t('settings.keys.revokeText')}
      </ConfirmDialog>
    </div>
  );
}

/** Returns the day of the last use of each key, by name; the analysis service lists them. */
function useKeyUses(username: string | undefined) {
  return useQuery({
    queryKey: ['analysis', 'api-keys', username],
    queryFn: async ({ signal }) => {
      const params = { path: { uname: username ?? '' } };
      const keys = await dataOf(analysis.GET('/api/v4/apikey/username/{uname}/', { params, signal }));
      return new Map(keys.map(({ key_name: name, last_used: used }) => [name, used]));
    },
    enabled: username !== undefined,
    staleTime: 0,
  });
}

const PRIVILEGES = ['R', 'W', 'E', 'I'] as const;

/** Returns the key of a privilege in the messages; one of a later version is shown as reading. */
function privilegeOf(letter: string): (typeof PRIVILEGES)[number] {
  return PRIVILEGES.find((one) => one === letter) ?? 'R';
}
