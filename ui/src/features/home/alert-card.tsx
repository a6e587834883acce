import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { severityOf } from '../../design/data/marks/severity.ts';
import { SeverityMark } from '../../design/data/marks/severity-marks.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { valueAt } from '../../json/members.ts';
import { Card } from './card.tsx';
import styles from './home.module.css';
import { firstAlerts } from './home-data.ts';

const ROWS = 6;

interface Props {
  readonly title: string;
  readonly query: string;
  readonly sort: string;
  /** The sentence for no alerts. */
  readonly empty: string;
  /** True: the severity stands in words beside its shape. */
  readonly namesSeverity?: boolean;
}

/** The first alerts of a query. */
export function AlertCard({ title, query, sort, empty, namesSeverity = false }: Props) {
  const { t } = useTranslation();
  const result = useQuery({
    queryKey: ['alerts', 'home', query, sort],
    queryFn: ({ signal }) => firstAlerts(query, sort, ROWS, signal),
  });
  return (
    <Card title={title} query={query} sort={sort} result={result}>
      {({ items, total }) =>
        total === 0 ? (
          <p className={styles.empty}>{empty}</p>
        ) : (
          <>
            <ul className={styles.rows}>
              {items.map((row) => (
                <li key={row.howler.id}>
                  <Link to="/alerts" search={{ q: query, sort, id: row.howler.id }} className={styles.row}>
                    <SeverityMark value={severityOf(row)} compact={!namesSeverity} />
                    <span className={styles.words}>
                      <Value
                        value={`${row.howler.analytic}${row.howler.detection ? ` · ${row.howler.detection}` : ''}`}
                        inline
                      />
                    </span>
                    <Time value={String(valueAt(row, 'event.created') ?? '')} />
                  </Link>
                </li>
              ))}
            </ul>
            <p className={styles.empty}>{t('alerts.total', { count: total })}</p>
          </>
        )
      }
    </Card>
  );
}
