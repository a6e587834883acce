import { useQuery } from '@tanstack/react-query';
import { TimeHistogram } from '../../../../design/data/charts/time-histogram.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { rangeBetween } from '../../../query/model/time-range.ts';
import styles from '../alerts-page.module.css';
import type { AlertList } from '../use-alert-list.ts';
import { readHistogram, SPLITS } from './histogram-data.ts';

const HEIGHT = 56;

/** The alerts of the search over time; a drag narrows the search to a range. */
export function AlertHistogram({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const { state, results } = list;
  const total = results?.total;
  const request = results?.search.request;
  const split = list.parameters.by ?? 'severity';
  const { data } = useQuery({
    queryKey: ['alerts', 'histogram', request, split, total],
    queryFn: async ({ signal }) => (request && (await readHistogram(request, split, signal))) ?? null,
    placeholderData: (before) => before,
    enabled: total !== undefined,
  });
  if (!data) return null;
  const { message, values } = SPLITS[split];
  const series = Object.entries(values).map(([id, colour]) => ({
    id,
    colour,
    label: t(`data.${message}.${id}` as Parameters<typeof t>[0]),
  }));
  return (
    <div className={styles.histogram}>
      <TimeHistogram
        label={t('alerts.histogram')}
        hideLabel
        height={HEIGHT}
        buckets={data.buckets}
        series={series}
        from={data.from}
        to={data.to}
        onRange={(from, to) => list.search({ ...state, range: rangeBetween(from, to) })}
      />
    </div>
  );
}
