import { useNavigate } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import { startTransition, useOptimistic, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { MultiCombobox } from '../../../design/forms/choices/multi-combobox.tsx';
import { Select } from '../../../design/forms/choices/select.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useUserOptions } from '../../users/use-user-options.ts';
import { CASE_ESCALATIONS, CASE_STATUSES, type Case, type CaseMembers, caseApi } from '../case-api.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';
import { useResolution } from './use-resolution.tsx';

/** The state of a case and who works on it; a choice is written at once. */
export function CaseHeader({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isHiding, setHiding] = useState(false);
  // The next choice starts from those that are still being written.
  const [shown, show] = useOptimistic<Case, CaseMembers>(present, (before, change) => ({ ...before, ...change }));
  const { case_id: id, status, escalation, participants = [] } = shown;
  const users = useUserOptions();
  const { agrees, question } = useResolution();
  const write = (change: CaseMembers) =>
    startTransition(async () => {
      show(change);
      await changes.change(present, change);
    });
  return (
    <div className={styles.header}>
      <Select
        label={t('cases.members.status')}
        options={CASE_STATUSES.map((value) => ({ value, label: t(`data.status.${value}`) }))}
        value={status}
        onChange={async (next) => {
          if (await agrees(id, next)) write({ status: next });
        }}
      />
      <Select
        label={t('cases.members.escalation')}
        options={CASE_ESCALATIONS.map((value) => ({ value, label: t(`data.escalation.${value}`) }))}
        value={escalation}
        onChange={(next) => write({ escalation: next })}
      />
      <div className={styles.people}>
        <MultiCombobox
          label={t('cases.members.participants')}
          {...users}
          value={participants}
          onChange={(next) => write({ participants: [...next] })}
        />
      </div>
      <Button icon={EyeOff} kind="quiet" onClick={() => setHiding(true)}>
        {t('cases.hide.submit')}
      </Button>
      {question}
      <ConfirmDialog
        open={isHiding}
        onClose={() => setHiding(false)}
        title={t('cases.hide.title')}
        confirmLabel={t('cases.hide.submit')}
        danger
        onConfirm={async () => {
          await caseApi.hide(id);
          await navigate({ to: '/cases' });
        }}
      >
        {t('cases.hide.text')}
      </ConfirmDialog>
    </div>
  );
}
