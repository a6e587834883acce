import { Page } from '../../design/layout/page.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useAccount, useSession } from '../../shell/session-context.tsx';
import { AlertCard } from './alert-card.tsx';
import { CountCard } from './count-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './home.module.css';
import { TaskCard } from './task-card.tsx';
import { TriageTimeCard } from './triage-time-card.tsx';
import { ViewCards } from './view-cards.tsx';

/** The first page: the work that waits, and how the work of all stands. Each card leads to its query. */
export function HomePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  const account = useAccount().data;
  const mine = `howler.assignment:"${session.username}" AND NOT howler.status:resolved`;
  return (
    <Page title={t('shell.rail.home')}>
      {session.is_admin ? <FirstSteps /> : null}
      <div className={styles.cards}>
        <AlertCard
          title={t('home.worst')}
          query="howler.status:open"
          sort="event.severity desc"
          empty={t('home.nothingOpen')}
          namesSeverity
        />
        <AlertCard title={t('home.mine')} query={mine} sort="event.created desc" empty={t('home.nothingMine')} />
        <AlertCard
          title={t('home.waiting')}
          query="howler.status:open AND howler.assignment:unassigned"
          sort="event.created asc"
          empty={t('home.nothingWaiting')}
        />
        <TaskCard />
        <CountCard title={t('home.byStatus')} field="howler.status" query="*:*" />
        <CountCard title={t('home.byAssignee')} field="howler.assignment" query="NOT howler.status:resolved" />
        <CountCard title={t('home.byAnalytic')} field="howler.analytic" query="NOT howler.status:resolved" />
        <TriageTimeCard />
        <ViewCards dashboard={account?.dashboard ?? []} />
      </div>
    </Page>
  );
}
