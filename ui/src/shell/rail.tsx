import { Link, useRouterState } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Menu } from '../design/overlays/menu.tsx';
import { MenuItem } from '../design/overlays/menu-item.tsx';
import { Tooltip } from '../design/overlays/tooltip/tooltip.tsx';
import { useTranslation } from '../i18n/translation.ts';
import { useKeysOf } from '../keys/commands.tsx';
import styles from './rail.module.css';
import { useRailEntries } from './use-rail-entries.ts';

/** Entries of the bar that takes the place of the rail on small screens; a menu holds the others. */
const IN_BAR = 5;

/** The pages, at the side; on small screens a bar at the bottom with the first ones and a menu. */
export function Rail() {
  const { t } = useTranslation();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const keysOf = useKeysOf();
  const entries = useRailEntries();
  const others = entries.slice(IN_BAR);
  const isElsewhere = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <nav className={styles.rail} aria-label={t('shell.mainNavigation')}>
      {entries.map(({ to, name, icon: Icon, command }, index) => (
        <Tooltip key={to} text={t(`shell.rail.${name}`)} keys={keysOf(command)[0]} side="right">
          <Link
            to={to}
            className={index < IN_BAR ? styles.entry : `${styles.entry} ${styles.other}`}
            activeOptions={{ exact: to === '/' }}
          >
            <Icon size={16} aria-hidden />
            <span className={styles.name}>{t(`shell.rail.${name}`)}</span>
          </Link>
        </Tooltip>
      ))}
      <Menu
        align="end"
        trigger={
          <button type="button" className={`${styles.entry} ${styles.more}`} data-elsewhere={isElsewhere || undefined}>
            <Ellipsis size={16} aria-hidden />
            <span className={styles.name}>{t('shell.more')}</span>
          </button>
        }
      >
        {others.map(({ to, name, icon, command }) => (
          <MenuItem key={to} icon={icon} keys={keysOf(command)[0]} link={<Link to={to} />}>
            {t(`shell.rail.${name}`)}
          </MenuItem>
        ))}
      </Menu>
    </nav>
  );
}
