import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { buttonClass } from '../../design/controls/button-class.ts';
import { lateComponent } from '../../design/late/late-component.tsx';
import { Page } from '../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../design/layout/tabs.tsx';
import { ErrorBoundary } from '../../design/states/error-boundary.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { analyticByIdQuery } from './analytic-queries.ts';
import { ANALYTIC_TABS, type AnalyticTab } from './analytic-tabs.ts';
import { FavouriteAnalytic } from './favourite-analytic.tsx';

/** One analytic: what it finds, how its alerts are triaged and shown, and what people say. */
export function AnalyticPage() {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/analytics/$id' });
  const { data, error, refetch } = useQuery(analyticByIdQuery(id));
  const actions = data === undefined ? null : <Actions analytic={data} />;
  return (
    <Page title={data?.name ?? t('analytics.title')} actions={actions}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading /> : <Sections key={id} analytic={data} />}
    </Page>
  );
}

function Actions({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  return (
    <>
      <FavouriteAnalytic id={analytic.analytic_id} name={analytic.name} />
      <Link to="/alerts" search={{ q: queryOfAnalytic(analytic.name) }} className={buttonClass()}>
        {t('analytics.openAlerts')}
      </Link>
    </>
  );
}

function Sections({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const { tab = 'about' } = useSearch({ from: '/analytics/$id' });
  const navigate = useNavigate({ from: '/analytics/$id' });
  const show = (next: AnalyticTab) =>
    void navigate({ search: (before) => ({ ...before, tab: next === 'about' ? undefined : next }), replace: true });
  const step = (by: number) => {
    const next = ANALYTIC_TABS[ANALYTIC_TABS.indexOf(tab) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  const Tab = TABS[tab];
  return (
    <Tabs
      label={analytic.name}
      tabs={ANALYTIC_TABS.map((value) => ({
        value,
        label: t(`analytics.tabs.${value}`),
        ...(value === 'comments' ? { count: analytic.comment.length } : {}),
      }))}
      value={tab}
      onChange={show}
    >
      <TabPanel value={tab}>
        <ErrorBoundary resetKey={tab}>
          <Suspense fallback={<Loading />}>
            <Tab analytic={analytic} />
          </Suspense>
        </ErrorBoundary>
      </TabPanel>
    </Tabs>
  );
}

const TABS: Readonly<Record<AnalyticTab, ComponentType<{ readonly analytic: Analytic }>>> = {
  about: lateComponent(async () => (await import('./about-analytic.tsx')).AboutAnalytic),
  triage: lateComponent(async () => (await import('./triage-settings-form.tsx')).TriageSettingsForm),
  comments: lateComponent(async () => (await import('./analytic-comments.tsx')).AnalyticComments),
  alertComments: lateComponent(async () => (await import('./alert-comments.tsx')).AlertComments),
  templates: lateComponent(async () => (await import('./analytic-layouts.tsx')).AnalyticTemplates),
  overviews: lateComponent(async () => (await import('./analytic-layouts.tsx')).AnalyticOverviews),
};
