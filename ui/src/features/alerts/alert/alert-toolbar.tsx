import { FolderInput, Gavel, Hand, MessageSquare, MoreHorizontal, Tag, UserPlus } from 'lucide-react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { Toolbar } from '../../../design/layout/page.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuItem, MenuSeparator, SubMenu } from '../../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useKeys } from '../../../keys/commands.tsx';
import type { Alert, Vote } from '../triage/alert.ts';
import type { TriageControls } from '../triage/use-triage.tsx';
import styles from './alert-pane.module.css';

interface Props {
  readonly alert: Alert;
  readonly triage: TriageControls;
  readonly onComment: () => void;
}

const VOTES: readonly Vote[] = ['benign', 'obscure', 'malicious'];

/** Draws what can be done with an alert, each with its keys. */
export function AlertToolbar({ alert, triage, onComment }: Props) {
  const { t } = useTranslation();
  const { run, open } = triage;
  return (
    <div className={styles.toolbar}>
      <Toolbar label={t('alert.actions.label')}>
        <Button icon={Gavel} kind="primary" keys={useKeys('assess')} onClick={() => open({ kind: 'assess' })}>
          {t('alert.actions.assess')}
        </Button>
        <Button icon={Hand} keys={useKeys('take')} onClick={() => run({ kind: 'take' })}>
          {t('alert.actions.take')}
        </Button>
        <Button icon={FolderInput} keys={useKeys('fileIntoCase')} onClick={() => open({ kind: 'file' })}>
          {t('keys.commands.fileIntoCase')}
        </Button>
        <IconButton
          icon={UserPlus}
          label={t('keys.commands.assign')}
          keys={useKeys('assign')}
          onClick={() => open({ kind: 'assign' })}
        />
        <IconButton
          icon={Tag}
          label={t('keys.commands.label')}
          keys={useKeys('label')}
          onClick={() => open({ kind: 'label' })}
        />
        <IconButton
          icon={MessageSquare}
          label={t('keys.commands.comment')}
          keys={useKeys('comment')}
          onClick={onComment}
        />
        <MoreMenu alert={alert} triage={triage} />
      </Toolbar>
    </div>
  );
}

function MoreMenu({ alert, triage }: Pick<Props, 'alert' | 'triage'>) {
  const { t } = useTranslation();
  const { run, open, tools } = triage;
  const { status, assignment, votes } = alert.howler;
  const isMine = assignment === tools.capabilities.me;
  const offered = tools.capabilities.offered[status] ?? [];
  return (
    <Menu trigger={<IconButton icon={MoreHorizontal} label={t('common.more')} />}>
      <MenuItem keys={useKeys('runAction')} onSelect={() => open({ kind: 'action' })}>
        {t('keys.commands.runAction')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem keys={useKeys('promote')} onSelect={() => run({ kind: 'promote' })}>
        {t('keys.commands.promote')}
      </MenuItem>
      <MenuItem keys={useKeys('demote')} onSelect={() => run({ kind: 'demote' })}>
        {t('keys.commands.demote')}
      </MenuItem>
      {(['start', 'pause', 'resume', 'release'] as const)
        .filter((name) => offered.includes(name))
        .map((name) => (
          <MenuItem key={name} disabled={!isMine} onSelect={() => run({ kind: name })}>
            {t(`alert.changes.${name}`)}
          </MenuItem>
        ))}
      {status === 'resolved' && (
        <MenuItem onSelect={() => run({ kind: 'reopen' })}>{t('alert.changes.reopen')}</MenuItem>
      )}
      <SubMenu label={t('alert.votes.label')} disabled={isMine && status !== 'open'}>
        {VOTES.map((vote) => (
          <MenuItem
            key={vote}
            detail={String(votes?.[vote]?.length ?? 0)}
            onSelect={() => run({ kind: 'vote', vote, email: tools.email })}
          >
            {t(`alert.votes.${vote}`)}
          </MenuItem>
        ))}
      </SubMenu>
      <MenuSeparator />
      <MenuItem onSelect={() => void navigator.clipboard.writeText(`${location.origin}/alerts/${alert.howler.id}`)}>
        {t('alert.actions.copyLink')}
      </MenuItem>
    </Menu>
  );
}
