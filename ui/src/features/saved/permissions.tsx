import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { UserChoice } from '../users/user-choice.tsx';
import { mayDelete, type Owned, useMe } from './ownership.ts';
import styles from './saved.module.css';

const PRIVILEGES = ['members', 'admins', 'owner'] as const;
type Privilege = (typeof PRIVILEGES)[number];

export interface Permission {
  readonly privilege: Privilege;
  readonly user_id: string;
}

interface Props {
  readonly object: Owned;
  readonly mayChange: boolean;
  readonly give: (entries: Permission[]) => Promise<unknown>;
  readonly take: (entries: Permission[]) => Promise<unknown>;
}

/** Draws who owns an object and who may read or change it; gives and takes these privileges. */
export function Permissions({ object, mayChange, give, take }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const [user, setUser] = useState<string | undefined>(undefined);
  const [privilege, setPrivilege] = useState<Privilege>('members');
  const change = useMutation({ mutationFn: (request: () => Promise<unknown>) => request() });
  const rows: Permission[] = [
    { privilege: 'owner', user_id: object.owner },
    ...object.admins.map((name) => ({ privilege: 'admins', user_id: name }) as const),
    ...object.members.map((name) => ({ privilege: 'members', user_id: name }) as const),
  ];
  const offered = PRIVILEGES.filter((one) => one !== 'owner' || mayDelete(me, object));
  return (
    <section className={styles.part}>
      <h2 className={styles.heading}>{t('saved.permissions.title')}</h2>
      <SimpleTable
        label={t('saved.permissions.title')}
        rows={rows}
        keyOf={(row) => `${row.privilege} ${row.user_id}`}
        columns={[
          { id: 'user', title: t('saved.permissions.user'), cell: (row) => <UserName user={row.user_id} /> },
          {
            id: 'privilege',
            title: t('saved.permissions.privilege'),
            cell: (row) => t(`saved.permissions.${row.privilege}`),
          },
          {
            id: 'take',
            align: 'end',
            cell: (row) =>
              mayChange && row.privilege !== 'owner' ? (
                <IconButton
                  small
                  icon={X}
                  label={t('saved.permissions.take', { user: row.user_id })}
                  onClick={() => change.mutate(() => take([row]))}
                />
              ) : null,
          },
        ]}
      />
      {change.error === null ? null : <ProblemPanel problem={change.error} />}
      {mayChange ? (
        <div className={styles.line}>
          <UserChoice label={t('saved.permissions.user')} value={user} onChange={setUser} />
          <Select
            label={t('saved.permissions.privilege')}
            options={offered.map((value) => ({ value, label: t(`saved.permissions.${value}`) }))}
            value={privilege}
            onChange={setPrivilege}
          />
          <Button
            busy={change.isPending}
            disabled={user === undefined}
            onClick={() => {
              if (user === undefined) return;
              change.mutate(() => give([{ privilege, user_id: user }]), { onSuccess: () => setUser(undefined) });
            }}
          >
            {t('saved.permissions.give')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
