import { Link } from '@tanstack/react-router';
import { CircleUser, Eye, Pencil, Search } from 'lucide-react';
import { ApiProblem } from '../api/problem.ts';
import { endSession } from '../api/session.ts';
import { Button } from '../design/controls/button.tsx';
import { Menu } from '../design/overlays/menu.tsx';
import { MenuItem } from '../design/overlays/menu-item.tsx';
import { showToast } from '../design/overlays/toasts.ts';
import { useTranslation } from '../i18n/translation.ts';
import { useCommands, useKeysOf } from '../keys/commands.tsx';
import { openPalette } from './commands/palette-state.ts';
import { usePresent } from './presence.ts';
import { useSession } from './session-context.tsx';
import styles from './shell.module.css';
import { noteLeaving } from './visits/use-visits.ts';

/** The line above a page: its title, the palette, the account. */
export function TitleLine({ slot }: { slot: (element: HTMLElement | null) => void }) {
  const { t } = useTranslation();
  const { session } = useSession();
  const keysOf = useKeysOf();
  useCommands([{ id: 'signOut', run: () => void signOut() }]);
  return (
    <header className={styles.titleLine}>
      <div ref={slot} className={styles.slot} />
      <PresentPeople />
      <Button kind="quiet" icon={Search} keys={keysOf('palette')[0]} className={styles.command} onClick={openPalette}>
        {t('shell.palette.open')}
      </Button>
      <Menu
        align="end"
        trigger={
          <Button
            kind="quiet"
            icon={CircleUser}
            className={styles.command}
            aria-label={t('shell.account.menu', { name: session.username })}
          >
            {session.username}
          </Button>
        }
      >
        <MenuItem keys={keysOf('goSettings')[0]} link={<Link to="/settings" />}>
          {t('shell.account.settings')}
        </MenuItem>
        <MenuItem keys={keysOf('signOut')[0]} onSelect={() => void signOut()}>
          {t('shell.account.signOut')}
        </MenuItem>
      </Menu>
    </header>
  );
}

/** Names other people at the object of the page; the object itself announces them to screen readers. */
function PresentPeople() {
  const { t } = useTranslation();
  const { viewers, typing } = usePresent();
  return (
    <>
      {viewers.length > 0 && (
        <span className={styles.present}>
          <Eye size={16} aria-hidden /> {t('alert.presence.viewing', { users: viewers.join(', ') })}
        </span>
      )}
      {typing.length > 0 && (
        <span className={styles.present}>
          <Pencil size={16} aria-hidden /> {t('alert.presence.typing', { users: typing.join(', ') })}
        </span>
      )}
    </>
  );
}

async function signOut(): Promise<void> {
  try {
    await noteLeaving();
    await endSession();
    location.assign('/');
  } catch (error) {
    // The session still is valid: a person who leaves this computer has to know.
    if (!(error instanceof ApiProblem)) throw error;
    showToast(error.message, { kind: 'problem' });
  }
}
