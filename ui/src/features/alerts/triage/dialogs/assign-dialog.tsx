import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Combobox } from '../../../../design/forms/combobox.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { searchUsers } from '../searches.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { useLater } from '../use-later.ts';
import { TriageForm } from './triage-form.tsx';

/** Draws the choice of the person to assign alerts to. */
export function AssignDialog({ selection, onClose, onChange }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [user, setUser] = useState<string | undefined>(undefined);
  const query = useLater(typed);
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'users', query],
    queryFn: ({ signal }) => searchUsers(query, signal),
    placeholderData: keepPreviousData,
  });
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
      <Combobox
        ref={first}
        label={t('alert.assign.user')}
        options={data.map(({ username, name }) => ({ value: username, label: name, detail: username }))}
        value={user}
        onChange={setUser}
        onQuery={setTyped}
      />
    </TriageForm>
  );
}
