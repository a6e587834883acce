import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { ApiProblem } from '../../../api/problem.ts';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { Page } from '../../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../../design/layout/tabs.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { ErrorBoundary } from '../../../design/states/error-boundary.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { useShownPresence } from '../../../shell/presence.ts';
import { usePresence } from '../../alerts/alert/use-presence.ts';
import type { Case } from '../case-api.ts';
import styles from './case.module.css';
import { CaseHeader } from './case-header.tsx';
import { CASE_TABS, type CaseTab } from './case-tabs.ts';
import { useCase } from './use-case.ts';
import { type CaseChanges, useCaseChanges } from './use-case-changes.tsx';

/** One case: what is known, what belongs to it, what is to be done, and what happened. */
export function CasePage() {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/cases/$id' });
  const { data, error, refetch } = useCase(id);
  if (data !== undefined) return <OpenCase key={id} present={data} />;
  const isMissing = error instanceof ApiProblem && error.status === 404;
  return (
    <Page title={t('cases.one')}>
      {error === null ? <Loading /> : null}
      {isMissing ? <EmptyState title={t('cases.missing.title')}>{t('cases.missing.text')}</EmptyState> : null}
      {error !== null && !isMissing ? <ProblemPanel problem={error} onRetry={() => void refetch()} /> : null}
    </Page>
  );
}

export interface CaseTabProps {
  readonly present: Case;
  readonly changes: CaseChanges;
}

function OpenCase({ present }: { readonly present: Case }) {
  const { t } = useTranslation();
  const { tab = 'overview' } = useSearch({ from: '/cases/$id' });
  const navigate = useNavigate({ from: '/cases/$id' });
  const changes = useCaseChanges(present.case_id);
  useShownPresence(usePresence(present.case_id));
  const show = (next: CaseTab) =>
    void navigate({ search: (before) => ({ ...before, tab: next === 'overview' ? undefined : next }), replace: true });
  const step = (by: number) => {
    const next = CASE_TABS[CASE_TABS.indexOf(tab) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  const counts: Partial<Record<CaseTab, number>> = {
    items: present.items?.length ?? 0,
    tasks: present.tasks?.filter(({ complete }) => !complete).length ?? 0,
    observables: present.indicators?.length ?? 0,
    rules: present.rules?.length ?? 0,
  };
  const Tab = TABS[tab];
  return (
    <Page title={present.title} classification={present.classification} fit="fill">
      <div className={styles.page}>
        <CaseHeader present={present} changes={changes} />
        {changes.notices}
        <div className={styles.tabs}>
          <Tabs
            label={t('cases.one')}
            tabs={CASE_TABS.map((value) => {
              const count = counts[value] ?? 0;
              const label = t(`cases.tabs.${value}`);
              return count === 0 ? { value, label } : { value, label, count };
            })}
            value={tab}
            onChange={show}
          >
            <TabPanel value={tab} flush={tab === 'items' || tab === 'timeline'}>
              <ErrorBoundary resetKey={tab}>
                <Suspense fallback={<Loading />}>
                  <Tab present={present} changes={changes} />
                </Suspense>
              </ErrorBoundary>
            </TabPanel>
          </Tabs>
        </div>
      </div>
    </Page>
  );
}

/** Each tab is loaded when it is opened: markdown alone takes more than the rest of the page. */
const TABS: Readonly<Record<CaseTab, ComponentType<CaseTabProps>>> = {
  overview: lateComponent(async () => (await import('./overview-tab.tsx')).OverviewTab),
  items: lateComponent(async () => (await import('../items/items-tab.tsx')).ItemsTab),
  tasks: lateComponent(async () => (await import('./tasks-tab.tsx')).TasksTab),
  timeline: lateComponent(async () => (await import('./timeline-tab.tsx')).TimelineTab),
  observables: lateComponent(async () => (await import('./observables-tab.tsx')).ObservablesTab),
  rules: lateComponent(async () => (await import('./rules-tab.tsx')).RulesTab),
  log: lateComponent(async () => (await import('./log-tab.tsx')).LogTab),
};
