import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../design/data/values/date-format.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { valueAt } from '../../json/members.ts';
import { Card } from './card.tsx';
import styles from './home.module.css';
import { firstAlerts } from './home-data.ts';
import { triageTimes } from './triage-times.ts';

const LIST = { q: '_exists_:howler.triaged', sort: 'howler.triaged desc' };
const SEARCH = { query: LIST.q, filters: [], sort: LIST.sort, indexes: 'hit' } as const;
const ROWS = 500;

/** The time that the last 500 assessed alerts waited for their assessment. */
export function TriageTimeCard() {
  const { t, i18n } = useTranslation();
  const result = useQuery({
    queryKey: ['alerts', 'home-charts', 'triage-times'],
    queryFn: async ({ signal }) => {
      const { items } = await firstAlerts(SEARCH, ROWS, signal, 'howler.triaged,event.created');
      return triageTimes(items.map((row) => [valueAt(row, 'event.created'), row.howler.triaged])) ?? null;
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  return (
    <Card title={t('home.triageTime')} list={LIST} result={result}>
      {(times) =>
        times === null ? (
          <p className={styles.empty}>{t('home.nothingTriaged')}</p>
        ) : (
          <dl className={styles.figures}>
            <div>
              <dt>{t('home.median')}</dt>
              <dd>{formatDuration(times.median, i18n.language)}</dd>
            </div>
            <div>
              <dt>{t('home.p90')}</dt>
              <dd>{formatDuration(times.p90, i18n.language)}</dd>
            </div>
            <div>
              <dt>{t('home.measured')}</dt>
              <dd>{t('alerts.total', { count: times.count })}</dd>
            </div>
          </dl>
        )
      }
    </Card>
  );
}
