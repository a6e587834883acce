import { FolderInput, Gavel, Hand, type LucideIcon, MessageSquare, MoreHorizontal, Tag, UserPlus } from 'lucide-react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { copyText } from '../../../design/data/values/copy.ts';
import { Toolbar } from '../../../design/layout/page.tsx';
import { useSmallScreen } from '../../../design/layout/use-small-screen.ts';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuItem, MenuSeparator, SubMenu } from '../../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands, useKeysOf } from '../../../keys/commands.tsx';
import type { CommandId } from '../../../keys/key-map.ts';
import type { Alert } from '../triage/alert.ts';
import styles from './alert-pane.module.css';
import type { AlertTriage } from './alert-triage.ts';

interface Props {
  readonly alert: Alert;
  readonly triage: AlertTriage;
  readonly onComment: () => void;
}

interface Action {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys: string | undefined;
  readonly run: () => void;
}

const STEPS = ['start', 'pause', 'resume', 'release'] as const;
const VOTES = [
  { vote: 'benign', command: 'voteBenign' },
  { vote: 'obscure', command: 'voteObscure' },
  { vote: 'malicious', command: 'voteMalicious' },
] as const;

/** Draws what can be done with an alert, each with its keys. */
export function AlertToolbar({ alert, triage, onComment }: Props) {
  const { t } = useTranslation();
  const { run, open } = triage;
  const keysOf = useOwnKeys(triage);
  const isSmall = useSmallScreen();
  const file: Action = {
    icon: FolderInput,
    label: t('keys.commands.fileIntoCase'),
    keys: keysOf('fileIntoCase'),
    run: () => open({ kind: 'file' }),
  };
  const others: readonly Action[] = [
    {
      icon: UserPlus,
      label: t('keys.commands.assign'),
      keys: keysOf('assign'),
      run: () => open({ kind: 'assign' }),
    },
    {
      icon: Tag,
      label: t('keys.commands.label'),
      keys: keysOf('label'),
      run: () => open({ kind: 'label' }),
    },
    { icon: MessageSquare, label: t('keys.commands.comment'), keys: keysOf('comment'), run: onComment },
  ];
  return (
    <div className={styles.toolbar}>
      <Toolbar label={t('alert.actions.label')}>
        <Button icon={Gavel} kind="primary" keys={keysOf('assess')} onClick={() => open({ kind: 'assess' })}>
          {t('alert.actions.assess')}
        </Button>
        <Button icon={Hand} keys={keysOf('take')} onClick={() => run({ kind: 'take' })}>
          {t('alert.actions.take')}
        </Button>
        {!isSmall && (
          <>
            <Button icon={file.icon} keys={file.keys} onClick={file.run}>
              {file.label}
            </Button>
            {others.map(({ icon, label, keys, run: act }) => (
              <IconButton key={label} icon={icon} label={label} keys={keys} onClick={act} />
            ))}
          </>
        )}
        <MoreMenu alert={alert} triage={triage} first={isSmall ? [file, ...others] : []} />
      </Toolbar>
    </div>
  );
}

/** Returns what tells the keys of commands; none while they are about the selected rows of the list. */
function useOwnKeys({ hasKeys }: AlertTriage): (id: CommandId) => string | undefined {
  const keysOf = useKeysOf();
  return (id) => (hasKeys ? keysOf(id)[0] : undefined);
}

interface MoreMenuProps extends Pick<Props, 'alert' | 'triage'> {
  /** Actions that have no room beside the menu. */
  readonly first: readonly Action[];
}

function MoreMenu({ alert, triage, first }: MoreMenuProps) {
  const { t } = useTranslation();
  const { run, open, tools, hasKeys } = triage;
  const { status, assignment, votes } = alert.howler;
  const isMine = assignment === tools.capabilities.me;
  const offered = tools.capabilities.offered[status] ?? [];
  const keysOf = useOwnKeys(triage);
  const steps = STEPS.filter((name) => offered.includes(name));
  const mayVote = !isMine || status === 'open';
  const copyLink = () => void copyText(`${location.origin}/alerts/${alert.howler.id}`);
  useCommands([
    ...steps.map((id) => ({ id, run: () => run({ kind: id }), isEnabled: hasKeys && isMine })),
    { id: 'reopen', run: () => run({ kind: 'reopen' }), isEnabled: hasKeys && status === 'resolved' },
    ...VOTES.map(({ vote, command }) => ({
      id: command,
      run: () => run({ kind: 'vote', vote, email: tools.email }),
      isEnabled: hasKeys && mayVote,
    })),
    { id: 'copyLink', run: copyLink, isEnabled: hasKeys },
  ]);
  return (
    <Menu
      align={first.length > 0 ? 'end' : 'start'}
      trigger={<IconButton icon={MoreHorizontal} label={t('common.more')} />}
    >
      {first.map(({ icon, label, keys, run: act }) => (
        <MenuItem key={label} icon={icon} keys={keys} onSelect={act}>
          {label}
        </MenuItem>
      ))}
      {first.length > 0 && <MenuSeparator />}
      <MenuItem keys={keysOf('runAction')} onSelect={() => open({ kind: 'action' })}>
        {t('keys.commands.runAction')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem keys={keysOf('promote')} onSelect={() => run({ kind: 'promote' })}>
        {t('keys.commands.promote')}
      </MenuItem>
      <MenuItem keys={keysOf('demote')} onSelect={() => run({ kind: 'demote' })}>
        {t('keys.commands.demote')}
      </MenuItem>
      {steps.map((name) => (
        <MenuItem key={name} keys={keysOf(name)} disabled={!isMine} onSelect={() => run({ kind: name })}>
          {t(`alert.changes.${name}`)}
        </MenuItem>
      ))}
      {status === 'resolved' && (
        <MenuItem keys={keysOf('reopen')} onSelect={() => run({ kind: 'reopen' })}>
          {t('alert.changes.reopen')}
        </MenuItem>
      )}
      <SubMenu label={t('alert.votes.label')} disabled={!mayVote}>
        {VOTES.map(({ vote, command }) => (
          <MenuItem
            key={vote}
            keys={keysOf(command)}
            detail={String(votes?.[vote]?.length ?? 0)}
            onSelect={() => run({ kind: 'vote', vote, email: tools.email })}
          >
            {t(`alert.votes.${vote}`)}
          </MenuItem>
        ))}
      </SubMenu>
      <MenuSeparator />
      <MenuItem keys={keysOf('copyLink')} onSelect={copyLink}>
        {t('alert.actions.copyLink')}
      </MenuItem>
    </Menu>
  );
}
