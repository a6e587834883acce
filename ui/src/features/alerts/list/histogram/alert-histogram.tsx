import { useQuery } from '@tanstack/react-query';
import { TimeHistogram } from '../../../../design/data/charts/time-histogram.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { rangeBetween } from '../../../query/model/time-range.ts';
import styles from '../alerts-page.module.css';
import type { ListSearch } from '../use-list-search.ts';
import { readHistogram } from './histogram-data.ts';
import { HistogramLegend } from './histogram-legend.tsx';
import { seriesOf, shownParts } from './shown-parts.ts';

/** Pixels; beside an open alert, 16 rows are in sight in a window of 720. */
const HEIGHT = 44;

/** The alerts of the search over time; a drag narrows the search to a range. */
export function AlertHistogram({ list }: { list: ListSearch }) {
  const { t } = useTranslation();
  const { state, results } = list;
  const total = results?.total;
  const search = results?.search;
  const split = list.parameters.by ?? 'severity';
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts', 'histogram', search?.request, search?.indexes, results?.generation, results?.found, split],
    queryFn: async ({ signal }) => (search && (await readHistogram(search, split, signal))) ?? null,
    placeholderData: (before) => before,
    enabled: total !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const parts = shownParts(split, data, t);
  return (
    <div className={styles.histogram}>
      <TimeHistogram
        label={t('alerts.histogram')}
        hideLabel
        legend={<HistogramLegend split={split} onSplit={list.split} parts={parts} />}
        height={HEIGHT}
        buckets={data.buckets}
        series={seriesOf(parts)}
        from={data.from}
        to={data.to}
        onRange={(from, to) => list.search({ ...state, range: rangeBetween(from, to) })}
      />
    </div>
  );
}
