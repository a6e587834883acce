import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDisplaySettings } from '../../design/data/display-settings.ts';
import { severityOf } from '../../design/data/marks/severity.ts';
import { SeverityMark } from '../../design/data/marks/severity-marks.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { valueAt } from '../../json/members.ts';
import { isEvent } from '../alerts/list/results/alert-source.ts';
import type { AlertListParameters } from '../alerts/list/search/alert-search.ts';
import type { View } from '../alerts/list/search/view-search.ts';
import { Card } from './card.tsx';
import { cardSearch } from './card-search.ts';
import styles from './home.module.css';
import { firstAlerts, HOME_KEY } from './home-data.ts';

const ROWS = 6;

interface Props {
  readonly title: string;
  /** The address of the list that the card begins. */
  readonly list: AlertListParameters;
  /** The view that the address names. */
  readonly view?: View;
  readonly rows?: number | undefined;
  /** The sentence for no alerts. */
  readonly empty: string;
  /** True: the severity stands in words beside its shape. */
  readonly namesSeverity?: boolean;
}

/** The first alerts of a list. */
export function AlertCard({ title, list, view, rows = ROWS, empty, namesSeverity = false }: Props) {
  const { t } = useTranslation();
  const { zone } = useDisplaySettings();
  const result = useQuery({
    queryKey: [...HOME_KEY, 'first', list, view, rows, zone],
    queryFn: ({ signal }) => firstAlerts(cardSearch(list, view, { now: new Date(), zone }), rows, signal),
  });
  return (
    <Card title={title} list={list} result={result}>
      {({ items, total }) =>
        total === 0 ? (
          <p className={styles.empty}>{empty}</p>
        ) : (
          <>
            <ul className={styles.rows}>
              {items.map((row) => (
                <li key={row.howler.id}>
                  <Link
                    to="/alerts"
                    search={{ ...list, id: row.howler.id, kind: isEvent(row) ? 'event' : undefined }}
                    className={styles.row}
                  >
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
