import { Link } from '@tanstack/react-router';
import { CircleUser, Search } from 'lucide-react';
import { endSession } from '../api/session.ts';
import { Button } from '../design/controls/button.tsx';
import { Menu } from '../design/overlays/menu.tsx';
import { MenuItem } from '../design/overlays/menu-item.tsx';
import { useTranslation } from '../i18n/translation.ts';
import { useKeys } from '../keys/commands.tsx';
import { openPalette } from './palette-state.ts';
import { useSession } from './session-context.tsx';
import styles from './shell.module.css';
import { noteLeaving } from './use-visits.ts';

/** The line above a page: its title, the palette, the account. */
export function TitleLine({ slot }: { slot: (element: HTMLElement | null) => void }) {
  const { t } = useTranslation();
  const { session } = useSession();
  const keys = useKeys('palette');
  return (
    <header className={styles.titleLine}>
      <div ref={slot} className={styles.slot} />
      <Button kind="quiet" icon={Search} keys={keys} className={styles.command} onClick={openPalette}>
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
        <MenuItem link={<Link to="/settings" />}>{t('shell.account.settings')}</MenuItem>
        <MenuItem onSelect={() => void signOut()}>{t('shell.account.signOut')}</MenuItem>
      </Menu>
    </header>
  );
}

async function signOut(): Promise<void> {
  await noteLeaving();
  await endSession();
  location.assign('/');
}
