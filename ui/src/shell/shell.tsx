import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { ClassificationBanner, ClassificationContext } from '../design/data/marks/classification-marks.tsx';
import { DesignRoot } from '../design/design-root.tsx';
import { lateComponent } from '../design/late/late-component.tsx';
import { PageFrameContext } from '../design/layout/page-frame.ts';
import { ErrorBoundary } from '../design/states/error-boundary.tsx';
import { useTranslation } from '../i18n/translation.ts';
import { useCommands } from '../keys/commands.tsx';
import { useGoCommands } from './commands/go-commands.ts';
import { KeyHelp } from './commands/key-help.tsx';
import { Palette } from './commands/palette.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { usePreferences } from './preferences.ts';
import { Rail } from './rail.tsx';
import { useAccount, useConfiguration } from './session-context.tsx';
import styles from './shell.module.css';
import { ExpiredSession } from './sign-in/expired-session.tsx';
import { TitleLine } from './title-line.tsx';
import { UndoCommand } from './undo-command.ts';
import { useVisits } from './visits/use-visits.ts';

const AssignmentNotifications = lateComponent(
  async () => (await import('../features/notifications/assignment-notifications.tsx')).AssignmentNotifications,
);

/** The frame of all pages: rail, title line, the page, and what lies above it. */
export function Shell() {
  const { t } = useTranslation();
  const [titleSlot, setTitleSlot] = useState<HTMLElement | null>(null);
  const [classification, setClassification] = useState<string | undefined>(undefined);
  const frame = useMemo(() => ({ titleSlot, setClassification }), [titleSlot]);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const definition = useConfiguration().data?.c12nDef;
  // A page about no object in particular may show everything that its reader may see.
  const highest = useAccount().data?.classification;
  const { notifications } = usePreferences();
  useCommands(useGoCommands());
  useVisits();
  return (
    <DesignRoot>
      <PageFrameContext value={frame}>
        <ClassificationContext value={definition}>
          <div className={styles.frame}>
            <a className={styles.skip} href="#content">
              {t('shell.skipToContent')}
            </a>
            <ClassificationBanner value={classification ?? highest} />
            <div className={styles.shell}>
              <Rail />
              <div className={styles.column}>
                <TitleLine slot={setTitleSlot} />
                <ConnectionLine />
                <main id="content" tabIndex={-1} className={styles.content}>
                  <ErrorBoundary resetKey={pathname}>
                    <Suspense fallback={null}>
                      <Outlet />
                    </Suspense>
                  </ErrorBoundary>
                </main>
              </div>
            </div>
          </div>
          <Palette />
          <KeyHelp />
          <UndoCommand />
          <ExpiredSession />
          {notifications === true && (
            <Suspense>
              <AssignmentNotifications />
            </Suspense>
          )}
        </ClassificationContext>
      </PageFrameContext>
    </DesignRoot>
  );
}
