import { CSPProvider } from '@base-ui/react/csp-provider';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../keys/commands.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { ExpiredSession } from './expired-session.tsx';
import { useGoCommands } from './go-commands.ts';
import { KeyHelp } from './key-help.tsx';
import { PageProvider } from './page-context.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import { Palette } from './palette.tsx';
import { RAIL_ENTRIES } from './rail-entries.ts';
import { useAccount } from './session-context.tsx';
import styles from './shell.module.css';
import { TitleLine } from './title-line.tsx';

/** The frame of all pages: rail, title line, the page, and what lies above it. */
export function Shell() {
  const { t } = useTranslation();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  useCommands(useGoCommands());
  return (
    <CSPProvider disableStyleElements>
      <PageProvider>
        <a className={styles.skip} href="#content">
          {t('shell.skipToContent')}
        </a>
        <div className={styles.shell}>
          <Rail />
          <div className={styles.column}>
            <TitleLine />
            <ConnectionLine />
            <main id="content" tabIndex={-1} className={styles.content}>
              <PageErrorBoundary key={pathname.split('/')[1]}>
                <Suspense fallback={null}>
                  <Outlet />
                </Suspense>
              </PageErrorBoundary>
            </main>
          </div>
        </div>
        <Palette />
        <KeyHelp />
        <ExpiredSession />
      </PageProvider>
    </CSPProvider>
  );
}

function Rail() {
  const { t } = useTranslation();
  const account = useAccount();
  const isAdministrator = account.data?.is_admin === true;
  return (
    <nav className={styles.rail} aria-label={t('shell.mainNavigation')}>
      {RAIL_ENTRIES.filter(({ isForAdministrators }) => isForAdministrators !== true || isAdministrator).map(
        ({ to, name, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.entry}
            activeOptions={{ exact: to === '/' }}
            title={t(`shell.rail.${name}`)}
          >
            <Icon size={16} aria-hidden />
            <span className={styles.entryName}>{t(`shell.rail.${name}`)}</span>
          </Link>
        ),
      )}
    </nav>
  );
}
