import { type ReactNode, Suspense } from 'react';
import hidden from '../../../design/controls/visually-hidden.module.css';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { TabPanel, Tabs } from '../../../design/layout/tabs.tsx';
import { useTop } from '../../../design/layout/use-top.ts';
import { ErrorBoundary } from '../../../design/states/error-boundary.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { Alert } from '../triage/alert.ts';
import styles from './alert-pane.module.css';
import { ALERT_TABS, type AlertTab } from './alert-tabs.ts';
import type { AlertTriage } from './alert-triage.ts';
import { CasesTab } from './tabs/cases-tab.tsx';
import { FieldsTab } from './tabs/fields-tab.tsx';
import { HistoryTab } from './tabs/history-tab.tsx';
import { OverviewTab } from './tabs/overview-tab.tsx';
import { RawTab } from './tabs/raw-tab.tsx';
import { RelatedTab } from './tabs/related-tab.tsx';

/** Loaded when they are opened: markdown takes more than the rest of the pane. */
const AnalyticTab = lateComponent(async () => (await import('./tabs/analytic-tab.tsx')).AnalyticTab);
const CommentsTab = lateComponent(async () => (await import('./tabs/comments-tab.tsx')).CommentsTab);

interface Props {
  readonly alert: Alert;
  readonly triage: AlertTriage;
  readonly tab: AlertTab;
  readonly onTab: (tab: AlertTab) => void;
  /** True: the field for a comment gets the focus. */
  readonly focusesComment: boolean;
  /** True: the title of the alert is the title of the page, and each tab is a section of that. */
  readonly isTitled: boolean;
}

/**
 * Draws the tabs of an alert; only the open one does any work.
 * Another alert has new contents in each but the overview, which a walk by keys draws again in place.
 */
export function AlertTabs({ alert, triage, tab, onTab, focusesComment, isTitled }: Props) {
  const { t } = useTranslation();
  const { id, comment, log, related } = alert.howler;
  const scroller = useTop<HTMLDivElement>(id);
  const counts: Partial<Record<AlertTab, number>> = {
    comments: comment.length,
    history: log.length,
    cases: related.length,
  };
  const panels: Record<AlertTab, () => ReactNode> = {
    overview: () => <OverviewTab alert={alert} />,
    fields: () => <FieldsTab alert={alert} />,
    raw: () => <RawTab alert={alert} />,
    related: () => <RelatedTab alert={alert} />,
    comments: () => <CommentsTab alert={alert} tools={triage.tools} takesFocus={focusesComment} />,
    history: () => <HistoryTab alert={alert} />,
    analytic: () => <AnalyticTab alert={alert} />,
    cases: () => <CasesTab alert={alert} onFile={() => triage.open({ kind: 'file' })} />,
  };
  return (
    <div ref={scroller} className={styles.tabs}>
      <Tabs
        label={t('alert.tabs.label')}
        tabs={ALERT_TABS.map((value) => {
          const count = counts[value];
          const label = t(`alert.tabs.${value}`);
          return count === undefined || count === 0 ? { value, label } : { value, label, count };
        })}
        value={tab}
        onChange={onTab}
      >
        {ALERT_TABS.map((value) => (
          <TabPanel key={value} value={value}>
            {value === tab && (
              <ErrorBoundary resetKey={`${id} ${tab}`}>
                {isTitled && <h2 className={hidden.hidden}>{t(`alert.tabs.${tab}`)}</h2>}
                <Suspense key={tab === 'overview' ? tab : id} fallback={<Loading />}>
                  {panels[value]()}
                </Suspense>
              </ErrorBoundary>
            )}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}
