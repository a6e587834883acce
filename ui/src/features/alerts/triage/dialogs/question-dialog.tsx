import { ConfirmDialog } from '../../../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useStore } from '../../../../state/use-store.ts';
import { questionSlot } from '../slots.ts';

/** Asks before more alerts are changed than the person was shown. */
export function QuestionDialog() {
  const { t } = useTranslation();
  const question = useStore(questionSlot);
  if (question === undefined) return null;
  const { shown, present, confirm } = question;
  return (
    <ConfirmDialog
      open
      onClose={() => questionSlot.set(undefined)}
      title={t('alert.unseen.title', { count: present })}
      confirmLabel={t('alert.unseen.confirm', { count: present })}
      onConfirm={confirm}
    >
      {t('alert.unseen.text', { count: present - shown, shown })}
    </ConfirmDialog>
  );
}
