import { LayoutGrid } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { lateComponent } from '../../design/late/late-component.tsx';
import { Page } from '../../design/layout/page.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands, useKeys } from '../../keys/commands.tsx';
import { useAccount, useSession } from '../../shell/session-context.tsx';
import { AlertCard } from './alert-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './home.module.css';
import { assignedQuery } from './home-queries.ts';
import { TaskCard } from './task-card.tsx';
import { TimeCard } from './time-card.tsx';
import { TriageTimeCard } from './triage-time-card.tsx';
import { useHomeChanges } from './use-home-changes.ts';
import { ViewCards } from './view-cards.tsx';

// Few visits change the cards.
const CardsDialog = lateComponent(async () => (await import('./cards-dialog.tsx')).CardsDialog);

/** The first page: the work that waits, and how the work of all stands. Each card leads to its query. */
export function HomePage() {
  const { t } = useTranslation();
  const { session } = useSession();
  const account = useAccount().data;
  const [isChoosing, setChoosing] = useState(false);
  useHomeChanges(account?.refresh_rate);
  const choose = () => setChoosing(true);
  useCommands([{ id: 'changeLayout', name: t('home.cards.choose'), run: choose }]);
  return (
    <Page
      title={t('shell.rail.home')}
      actions={
        <Button icon={LayoutGrid} keys={useKeys('changeLayout')} onClick={choose}>
          {t('home.cards.choose')}
        </Button>
      }
    >
      {isChoosing ? (
        <Suspense fallback={null}>
          <CardsDialog onClose={() => setChoosing(false)} />
        </Suspense>
      ) : null}
      {session.is_admin ? <FirstSteps /> : null}
      <div className={styles.cards}>
        <AlertCard
          title={t('home.worst')}
          list={{ q: 'howler.status:open', sort: 'event.severity desc' }}
          empty={t('home.nothingOpen')}
          namesSeverity
        />
        <AlertCard title={t('home.mine')} list={{ q: assignedQuery(session.username) }} empty={t('home.nothingMine')} />
        <AlertCard
          title={t('home.waiting')}
          list={{ q: 'howler.status:open AND howler.assignment:unassigned', sort: 'event.created asc' }}
          empty={t('home.nothingWaiting')}
        />
        <TaskCard />
        <TimeCard title={t('home.byStatus')} field="howler.status" />
        <TimeCard title={t('home.byAssignee')} field="howler.assignment" />
        <TimeCard title={t('home.byAnalytic')} field="howler.analytic" />
        <TriageTimeCard />
        <ViewCards dashboard={account?.dashboard ?? []} />
      </div>
    </Page>
  );
}
