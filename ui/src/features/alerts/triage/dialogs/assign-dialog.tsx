import { useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/translation.ts';
import { UserChoice } from '../../../users/user-choice.tsx';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { TriageForm } from './triage-form.tsx';

/** Draws the choice of the person to assign alerts to. */
export function AssignDialog({ selection, onClose, onChange, typed }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const [user, setUser] = useState(typed?.kind === 'assign' ? typed.to : undefined);
  return (
    <TriageForm
      title={t('alert.assign.title', { count: countOf(selection) })}
      size="small"
      initialFocus={first}
      submitLabel={t('alert.assign.submit')}
      isReady={user !== undefined}
      onSubmit={() => user !== undefined && onChange({ kind: 'assign', to: user })}
      onClose={onClose}
    >
      <UserChoice ref={first} label={t('alert.assign.user')} value={user} onChange={setUser} />
    </TriageForm>
  );
}
