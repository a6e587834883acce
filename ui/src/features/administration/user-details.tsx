import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { alerts, operations } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import styles from './administration.module.css';
import { Reading, useOperation } from './reading.tsx';
import { SecondFactorRemoval } from './second-factor-removal.tsx';
import { UserCredentials } from './user-credentials.tsx';
import { UserForm } from './user-form.tsx';

interface Props {
  readonly username: string;
  /** Called with a new random password, which is shown this once. */
  readonly onPassword: (password: string) => void;
  readonly onDeleted: () => void;
}

/** One account: its members, its sessions and API keys, a new password, and its end. */
export function UserDetails({ username, onPassword, onDeleted }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { session } = useSession();
  const [asking, setAsking] = useState<'reset' | 'delete' | undefined>(undefined);
  const params = { path: { username } };
  const account = useOperation(['user', username], (signal) =>
    operations.GET('/v1/users/{username}', { params, signal }),
  );
  const reset = async () => {
    const { data } = await operations.POST('/v1/users/{username}/password', { params });
    if (data !== undefined) onPassword(data.password);
  };
  const remove = async () => {
    await alerts.DELETE('/api/v1/user/{username}', { params });
    onDeleted();
    // The list alone: the account itself, which may be on the page for a moment yet, is not there to be read again.
    await queryClient.invalidateQueries({ queryKey: ['operations', 'users'] });
  };
  return (
    <Reading label={username} result={account}>
      {(details) => (
        <>
          <UserForm key={username} account={details} onSaved={() => showToast(t('administration.users.saved'))} />
          <div className={styles.buttons}>
            <Button kind="danger" onClick={() => setAsking('reset')}>
              {t('administration.users.reset')}
            </Button>
            {username !== session.username && details.has_second_factor && <SecondFactorRemoval username={username} />}
            {username === session.username ? null : (
              <Button kind="danger" onClick={() => setAsking('delete')}>
                {t('administration.users.delete')}
              </Button>
            )}
          </div>
          <UserCredentials username={username} />
          <ConfirmDialog
            open={asking === 'reset'}
            onClose={() => setAsking(undefined)}
            title={t('administration.users.reset')}
            confirmLabel={t('administration.users.reset')}
            onConfirm={reset}
            danger
          >
            {t('administration.users.resetText', { name: username })}
          </ConfirmDialog>
          <ConfirmDialog
            open={asking === 'delete'}
            onClose={() => setAsking(undefined)}
            title={t('administration.users.delete')}
            confirmLabel={t('administration.users.delete')}
            onConfirm={remove}
            danger
          >
            {t('administration.users.deleteText', { name: username })}
          </ConfirmDialog>
        </>
      )}
    </Reading>
  );
}
