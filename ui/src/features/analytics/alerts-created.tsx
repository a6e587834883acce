import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TimeHistogram } from '../../design/data/charts/time-histogram.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { readHistogram } from '../alerts/list/histogram/histogram-data.ts';
import { seriesOf, shownParts } from '../alerts/list/histogram/shown-parts.ts';
import { TIME_FIELD } from '../alerts/list/search/alert-search.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { rangeBetween, writeTimeRange } from '../query/model/time-range.ts';
import styles from '../saved/saved.module.css';

/** The public system shows the same time. */
const RECENT = `${TIME_FIELD}:[now-3M TO now]`;

/** Draws when recent alerts of an analytic were created; a drag leads to the alerts of a range. */
export function AlertsCreated({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = queryOfAnalytic(analytic.name);
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'hit', 'created', query],
    queryFn: async ({ signal }) =>
      (await readHistogram({ request: { query, filters: [RECENT] }, indexes: 'hit' }, 'status', signal)) ?? null,
  });
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  if (data === null) return <p className={styles.quiet}>{t('analytics.noneCreated')}</p>;
  return (
    <TimeHistogram
      label={t('analytics.created')}
      buckets={data.buckets}
      series={seriesOf(shownParts('status', data, t))}
      from={data.from}
      to={data.to}
      onRange={(from, to) =>
        void navigate({ to: '/alerts', search: { q: query, span: writeTimeRange(rangeBetween(from, to)) } })
      }
    />
  );
}
