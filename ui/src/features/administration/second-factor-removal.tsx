import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operations } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';

/** Removes the second factors of another user who lost all of them, after a question. */
export function SecondFactorRemoval({ username }: { readonly username: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    await operations.DELETE('/v1/users/{username}/second-factors', { params: { path: { username } } });
    showToast(t('administration.users.factorsRemoved'));
    await queryClient.invalidateQueries({ queryKey: ['operations', 'user', username] });
  };
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t('administration.users.removeFactors')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('administration.users.removeFactors')}
        confirmLabel={t('administration.users.removeFactors')}
        onConfirm={remove}
        danger
      >
        {t('administration.users.removeFactorsText', { name: username })}
      </ConfirmDialog>
    </>
  );
}
