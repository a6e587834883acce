import { useSyncExternalStore } from 'react';
import { ConfirmDialog } from '../../../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { questionSlot } from '../slots.ts';

/** Asks before more alerts are changed than the person was shown. */
export function QuestionDialog() {
  const { t } = useTranslation();
  const question = useSyncExternalStore(questionSlot.subscribe, questionSlot.read);
  if (question === undefined) return null;
  const { shown, present, confirm } = question;
  return (
    <ConfirmDialog
      open
      onClose={() => questionSlot.show(undefined)}
      title={t('alert.unseen.title', { count: present })}
      confirmLabel={t('alert.unseen.confirm', { count: present })}
      onConfirm={confirm}
    >
      {t('alert.unseen.text', { count: present - shown, shown })}
    </ConfirmDialog>
  );
}
