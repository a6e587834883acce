import { Link, useRouterState } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { Menu } from '../design/overlays/menu.tsx';
import { MenuItem } from '../design/overlays/menu-item.tsx';
import { useTranslation } from '../i18n/translation.ts';
import styles from './rail.module.css';
import { RAIL_ENTRIES } from './rail-entries.ts';
import { useAccount } from './session-context.tsx';

/** Entries of the bar that takes the place of the rail on small screens; a menu holds the others. */
const IN_BAR = 5;

/** The pages, at the side; on small screens a bar at the bottom with the first ones and a menu. */
export function Rail() {
  const { t } = useTranslation();
  const isAdministrator = useAccount().data?.is_admin === true;
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const entries = RAIL_ENTRIES.filter(({ isForAdministrators }) => isForAdministrators !== true || isAdministrator);
  const others = entries.slice(IN_BAR);
  const isElsewhere = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <nav className={styles.rail} aria-label={t('shell.mainNavigation')}>
      {entries.map(({ to, name, icon: Icon }, index) => (
        <Link
          key={to}
          to={to}
          className={index < IN_BAR ? styles.entry : `${styles.entry} ${styles.other}`}
          activeOptions={{ exact: to === '/' }}
          title={t(`shell.rail.${name}`)}
        >
          <Icon size={16} aria-hidden />
          <span className={styles.name}>{t(`shell.rail.${name}`)}</span>
        </Link>
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
        {others.map(({ to, name, icon }) => (
          <MenuItem key={to} icon={icon} link={<Link to={to} />}>
            {t(`shell.rail.${name}`)}
          </MenuItem>
        ))}
      </Menu>
    </nav>
  );
}
