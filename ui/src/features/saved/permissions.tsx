import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { ConfirmDialog } from '../../design/overlays/confirm-dialog.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { mayDelete, type Owned, useMe } from '../../shell/ownership.ts';
import { UserChoice } from '../users/user-choice.tsx';
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
  /** Privileges that can be granted. Default: all. */
  readonly privileges?: readonly Privilege[];
  /** A sentence about those who need no privilege. */
  readonly hint?: string | undefined;
  readonly grant: (entries: Permission[]) => Promise<unknown>;
  readonly revoke: (entries: Permission[]) => Promise<unknown>;
}

/** Draws who owns an object and who may use or change it; grants and revokes these privileges. */
export function Permissions({ object, mayChange, privileges = PRIVILEGES, hint, grant, revoke }: Props) {
  const { t } = useTranslation();
  const section = useRef<HTMLElement>(null);
  const keepFocus = useKeptFocus(section);
  const change = useMutation({
    mutationFn: (request: () => Promise<unknown>) => request(),
    onSuccess: keepFocus,
  });
  const rows: Permission[] = [
    { privilege: 'owner', user_id: object.owner },
    ...object.admins.map((name) => ({ privilege: 'admins', user_id: name }) as const),
    ...object.members.map((name) => ({ privilege: 'members', user_id: name }) as const),
  ];
  return (
    <section ref={section} className={styles.part}>
      <h2 className={styles.heading}>{t('saved.permissions.title')}</h2>
      {hint === undefined ? null : <p className={styles.quiet}>{hint}</p>}
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
            id: 'revoke',
            align: 'end',
            cell: (row) =>
              mayChange && row.privilege !== 'owner' ? (
                <IconButton
                  small
                  icon={X}
                  label={t('saved.permissions.revoke', { user: row.user_id })}
                  onClick={() => change.mutate(() => revoke([row]))}
                />
              ) : null,
          },
        ]}
      />
      {change.error === null ? null : <ProblemPanel problem={change.error} />}
      {mayChange ? (
        <GrantLine
          object={object}
          privileges={privileges}
          isBusy={change.isPending}
          onGrant={(permission) => change.mutateAsync(() => grant([permission]))}
        />
      ) : null}
    </section>
  );
}

/** Returns what moves the focus to the table of a section, once the control that had it is gone. */
function useKeptFocus(section: RefObject<HTMLElement | null>): () => void {
  const isDue = useRef(false);
  const [, redraw] = useState(0);
  // After each drawing: the rows may follow the change later.
  useEffect(() => {
    if (!isDue.current || document.activeElement !== document.body) return;
    isDue.current = false;
    section.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  return () => {
    isDue.current = true;
    redraw((count) => count + 1);
  };
}

interface GrantProps {
  readonly object: Owned;
  readonly privileges: readonly Privilege[];
  readonly isBusy: boolean;
  readonly onGrant: (permission: Permission) => Promise<unknown>;
}

function GrantLine({ object, privileges, isBusy, onGrant }: GrantProps) {
  const { t } = useTranslation();
  const me = useMe();
  const offered = privileges.filter((one) => one !== 'owner' || mayDelete(me, object));
  const [user, setUser] = useState<string | undefined>(undefined);
  const [privilege, setPrivilege] = useState<Privilege | undefined>(offered[0]);
  const [isHandingOn, setHandingOn] = useState(false);
  const grant = async () => {
    if (user === undefined || privilege === undefined) return;
    await onGrant({ privilege, user_id: user });
    setUser(undefined);
  };
  return (
    <div className={styles.line}>
      <UserChoice label={t('saved.permissions.user')} value={user} onChange={setUser} />
      <Select
        label={t('saved.permissions.privilege')}
        options={offered.map((value) => ({ value, label: t(`saved.permissions.${value}`) }))}
        value={privilege}
        onChange={setPrivilege}
      />
      <Button
        busy={isBusy}
        disabled={user === undefined}
        onClick={() => {
          if (privilege === 'owner') setHandingOn(true);
          // The section shows the refusal.
          else void grant().catch(() => undefined);
        }}
      >
        {t('saved.permissions.grant')}
      </Button>
      <ConfirmDialog
        open={isHandingOn}
        onClose={() => setHandingOn(false)}
        title={t('saved.permissions.handOnTitle', { user })}
        confirmLabel={t('saved.permissions.handOn')}
        onConfirm={grant}
      >
        {t('saved.permissions.handOnText', { owner: object.owner })}
      </ConfirmDialog>
    </div>
  );
}
