import { useQuery } from '@tanstack/react-query';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { viewsQuery } from '../query/sources/saved-views.ts';
import { AlertCard } from './alert-card.tsx';
import { CountCard } from './count-card.tsx';
import { type DashboardCard, readDashboard } from './dashboard.ts';

/** The cards that the account keeps for the public interface: views, and charts of analytics. */
export function ViewCards({ dashboard }: { dashboard: readonly unknown[] }) {
  const cards = readDashboard(dashboard);
  const needsAnalytics = cards.some(({ kind }) => kind === 'analytic');
  const views = useQuery({ ...viewsQuery, enabled: cards.length > 0 }).data ?? [];
  const analytics = useQuery({ ...analyticsQuery, enabled: needsAnalytics }).data ?? [];
  return cards.map((card) => {
    if (card.kind === 'view') {
      const view = views.find(({ view_id: id }) => id === card.id);
      return view === undefined ? null : <ViewCard key={card.key} title={view.title ?? ''} query={view.query ?? ''} />;
    }
    const analytic = analytics.find(({ analytic_id: id }) => id === card.id);
    return analytic === undefined ? null : <AnalyticCard key={card.key} card={card} name={analytic.name ?? ''} />;
  });
}

function ViewCard({ title, query }: { title: string; query: string }) {
  const { t } = useTranslation();
  return <AlertCard title={title} query={query} sort="event.created desc" empty={t('home.nothingInView')} />;
}

/** The fields that the charts of an analytic count; the one over time is that of its status. */
const CHARTED = {
  assessment: 'assessment',
  created: 'status',
  escalation: 'escalation',
  status: 'status',
  detection: 'detection',
} as const;

function AnalyticCard({ card, name }: { card: DashboardCard; name: string }) {
  const { t } = useTranslation();
  const chart = card.chart ?? '';
  const counted = Object.hasOwn(CHARTED, chart) ? CHARTED[chart as keyof typeof CHARTED] : 'status';
  return (
    <CountCard
      title={`${name} · ${t(`alerts.facetFields.${counted}`)}`}
      field={`howler.${counted}`}
      query={queryOfAnalytic(name)}
    />
  );
}
