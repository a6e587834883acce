import { useQuery } from '@tanstack/react-query';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { useTranslation } from '../../i18n/translation.ts';
import type { View } from '../alerts/list/search/view-search.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { viewsQuery } from '../query/sources/saved-views.ts';
import { useViewTitle } from '../query/sources/view-title.ts';
import { AlertCard } from './alert-card.tsx';
import { CountCard } from './count-card.tsx';
import { chartOf, type DashboardCard, readDashboard } from './dashboard.ts';
import { TimeCard } from './time-card.tsx';
import { useChartName } from './use-chart-name.ts';

/** The cards that the account keeps for the public interface: views, and charts of analytics. */
export function ViewCards({ dashboard }: { dashboard: readonly unknown[] }) {
  const cards = readDashboard(dashboard);
  const needsAnalytics = cards.some(({ kind }) => kind === 'analytic');
  const views = useQuery({ ...viewsQuery, enabled: cards.length > 0 }).data ?? [];
  const analytics = useQuery({ ...analyticsQuery, enabled: needsAnalytics }).data ?? [];
  return cards.map((card) => {
    if (card.kind === 'view') {
      const view = views.find(({ view_id: id }) => id === card.id);
      return view === undefined ? null : <ViewCard key={card.key} view={view} limit={card.limit} />;
    }
    const analytic = analytics.find(({ analytic_id: id }) => id === card.id);
    return analytic === undefined ? null : <AnalyticCard key={card.key} card={card} name={analytic.name ?? ''} />;
  });
}

function ViewCard({ view, limit }: { view: View; limit: number | undefined }) {
  const { t } = useTranslation();
  const title = useViewTitle()(view);
  const list = { view: view.view_id };
  return <AlertCard title={title} list={list} view={view} rows={limit} empty={t('home.nothingInView')} />;
}

function AnalyticCard({ card, name }: { card: DashboardCard; name: string }) {
  const chart = chartOf(card.chart);
  const title = `${name} · ${useChartName()(chart)}`;
  const query = queryOfAnalytic(name);
  if (chart === 'created') return <TimeCard title={title} field="howler.status" query={query} />;
  return <CountCard title={title} field={`howler.${chart}`} query={query} />;
}
