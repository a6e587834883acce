import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../../design/controls/button.tsx';
import { Combobox } from '../../../../design/forms/combobox.tsx';
import { Dialog, DialogFooter } from '../../../../design/overlays/dialog.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { searchUsers } from '../searches.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { useLater } from '../use-later.ts';
import styles from './dialogs.module.css';

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
    <Dialog
      open
      onClose={onClose}
      title={t('alert.assign.title', { count: countOf(selection) })}
      size="small"
      initialFocus={first}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (user !== undefined) onChange({ kind: 'assign', to: user });
        }}
      >
        <Combobox
          ref={first}
          label={t('alert.assign.user')}
          options={data.map(({ username, name }) => ({ value: username, label: name, detail: username }))}
          value={user}
          onChange={setUser}
          onQuery={setTyped}
        />
        <DialogFooter>
          <Button type="submit" kind="primary" disabled={user === undefined}>
            {t('alert.assign.submit')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
