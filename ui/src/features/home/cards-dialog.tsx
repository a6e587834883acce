import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { IconButton } from '../../design/controls/icon-button.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { Dialog } from '../../design/overlays/dialog.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { viewsQuery } from '../query/sources/saved-views.ts';
import { useViewTitle } from '../query/sources/view-title.ts';
import { CardForm } from './card-form.tsx';
import { chartOf, type DashboardCard, readDashboard, withCard, withMovedCard, withoutCard } from './dashboard.ts';
import { useChartName } from './use-chart-name.ts';
import { useDashboard } from './use-dashboard.ts';

/** Chooses the cards of views and analytics on the home page. Each change is stored at once. */
export function CardsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { cards, change } = useDashboard();
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const views = useQuery(viewsQuery).data ?? [];
  const analytics = useQuery(analyticsQuery).data ?? [];
  const viewTitle = useViewTitle();
  const chartName = useChartName();
  const shown = readDashboard(cards);
  const titleOf = ({ kind, id }: DashboardCard) => {
    const view = kind === 'view' ? views.find(({ view_id: known }) => known === id) : undefined;
    if (view !== undefined) return viewTitle(view);
    return analytics.find(({ analytic_id: known }) => kind === 'analytic' && known === id)?.name ?? id;
  };
  const run = async (plan: Parameters<typeof change>[0]) => {
    setProblem(undefined);
    setBusy(true);
    await change(plan).catch(setProblem);
    setBusy(false);
  };
  return (
    <Dialog open onClose={onClose} title={t('home.cards.title')} description={t('home.cards.text')}>
      {problem === undefined ? null : <ProblemPanel problem={problem} />}
      {shown.length === 0 ? null : (
        <SimpleTable
          label={t('home.cards.title')}
          rows={shown}
          keyOf={({ key }) => key}
          columns={[
            { id: 'title', title: t('common.name'), cell: (card) => <Value value={titleOf(card)} limit={120} /> },
            {
              id: 'chart',
              title: t('home.cards.shows'),
              cell: (card) => (card.kind === 'view' ? t('home.cards.firstAlerts') : chartName(chartOf(card.chart))),
            },
            {
              id: 'actions',
              align: 'end',
              cell: (card) => {
                const name = titleOf(card).slice(0, 80);
                const at = shown.indexOf(card);
                return (
                  <>
                    <IconButton
                      icon={ArrowUp}
                      small
                      label={t('home.cards.up', { name })}
                      disabled={isBusy || at === 0}
                      onClick={() => void run((all) => withMovedCard(all, card.key, -1))}
                    />
                    <IconButton
                      icon={ArrowDown}
                      small
                      label={t('home.cards.down', { name })}
                      disabled={isBusy || at === shown.length - 1}
                      onClick={() => void run((all) => withMovedCard(all, card.key, 1))}
                    />
                    <IconButton
                      icon={Trash2}
                      small
                      label={t('home.cards.remove', { name })}
                      disabled={isBusy}
                      onClick={() => void run((all) => withoutCard(all, card.key))}
                    />
                  </>
                );
              },
            },
          ]}
        />
      )}
      <CardForm
        views={views.map((view) => ({ value: view.view_id, label: viewTitle(view) }))}
        analytics={analytics.map(({ analytic_id: value, name }) => ({ value, label: name ?? value }))}
        onAdd={(card) => change((all) => withCard(all, card))}
      />
    </Dialog>
  );
}
