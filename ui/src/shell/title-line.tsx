import { useTranslation } from 'react-i18next';
import { endSession } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Kbd } from '../design/kbd.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { useKeys } from '../keys/commands.tsx';
import { usePageState } from './page-context.tsx';
import { openPalette } from './palette-state.ts';
import { useSession } from './session-context.tsx';
import styles from './shell.module.css';

/** The line above a page: its title, the palette, the account. */
export function TitleLine() {
  const { t } = useTranslation();
  const { title } = usePageState();
  const { session } = useSession();
  const keys = useKeys('palette');
  return (
    <header className={styles.titleLine}>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.spacer} />
      <Button variant="quiet" onClick={openPalette}>
        {t('shell.palette.open')} {keys === undefined ? null : <Kbd>{keys}</Kbd>}
      </Button>
      <Menu label={t('shell.account.menu', { name: session.name })} trigger={session.username}>
        <MenuItem onSelect={() => void signOut()}>{t('shell.account.signOut')}</MenuItem>
      </Menu>
    </header>
  );
}

async function signOut(): Promise<void> {
  await endSession();
  location.assign('/');
}
