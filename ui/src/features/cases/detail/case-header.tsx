import { useNavigate } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { MultiCombobox } from '../../../design/forms/choices/multi-combobox.tsx';
import { Select } from '../../../design/forms/choices/select.tsx';
import { ConfirmDialog } from '../../../design/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useUserOptions } from '../../users/use-user-options.ts';
import { CASE_ESCALATIONS, CASE_STATUSES, caseApi } from '../case-api.ts';
import styles from './case.module.css';
import type { CaseTabProps } from './case-page.tsx';

/** The state of a case and who works on it; a choice is written at once. */
export function CaseHeader({ present, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isHiding, setHiding] = useState(false);
  const { case_id: id, status, escalation } = present;
  return (
    <div className={styles.header}>
      <Select
        label={t('cases.members.status')}
        options={CASE_STATUSES.map((value) => ({ value, label: t(`data.status.${value}`) }))}
        value={status}
        onChange={(next) => void changes.change({ status }, { status: next })}
      />
      <Select
        label={t('cases.members.escalation')}
        options={CASE_ESCALATIONS.map((value) => ({ value, label: t(`data.escalation.${value}`) }))}
        value={escalation}
        onChange={(next) => void changes.change({ escalation }, { escalation: next })}
      />
      <div className={styles.people}>
        <Participants present={present} changes={changes} />
      </div>
      <Button icon={EyeOff} kind="quiet" onClick={() => setHiding(true)}>
        {t('cases.hide.submit')}
      </Button>
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

function Participants({ present: { participants = [] }, changes }: CaseTabProps) {
  const { t } = useTranslation();
  const users = useUserOptions();
  return (
    <MultiCombobox
      label={t('cases.members.participants')}
      {...users}
      value={participants}
      onChange={(next) => void changes.change({ participants }, { participants: [...next] })}
    />
  );
}
