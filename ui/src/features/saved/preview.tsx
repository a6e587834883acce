import { type ReactNode, useState } from 'react';
import { severityOf } from '../../design/data/marks/severity.ts';
import { SeverityMark } from '../../design/data/marks/severity-marks.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import type { useNewestAlerts } from './newest-alerts.ts';
import styles from './saved.module.css';

interface Props {
  readonly found: ReturnType<typeof useNewestAlerts>;
}

/** Draws how many alerts, or events, a query finds, and the newest of them. */
export function FoundAlerts({ found }: Props) {
  const { t } = useTranslation();
  const { data, error, searched, hasEvents } = found;
  if (searched.trim() === '') return <EmptyState title={t('saved.preview.noQuery')} />;
  if (error !== null) return <ProblemPanel problem={error} />;
  if (data === undefined) return <Loading />;
  if (data.alerts.length === 0) return <EmptyState title={t('saved.preview.none')} />;
  return (
    <>
      <p className={styles.quiet}>
        {t(hasEvents ? 'saved.preview.foundRecords' : 'saved.preview.found', { count: data.total })}
      </p>
      <ul className={styles.found}>
        {data.alerts.map((alert) => (
          <li key={alert.howler.id}>
            <SeverityMark value={severityOf(alert)} compact />
            <Value value={outlineOf(alert)} inline />
            <Time value={alert.event?.created ?? alert.timestamp} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns what an alert or event is about; events have no analytic. */
function outlineOf({ howler, event, message }: Alert): string {
  const words = [howler.analytic, howler.detection].filter((word) => word !== undefined && word !== '');
  return words.join(' · ') || message || event?.reason || howler.id;
}

interface SampleProps extends Props {
  /** Draws the object that is edited on the chosen alert. */
  readonly children: (alert: Alert) => ReactNode;
}

/** Draws something on one of the newest alerts that were found. */
export function OnSampleAlert({ found, children }: SampleProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const { data, error, searched } = found;
  if (searched.trim() === '') return <EmptyState title={t('saved.preview.noAnalytic')} />;
  if (error !== null) return <ProblemPanel problem={error} />;
  if (data === undefined) return <Loading />;
  const alert = data.alerts.find(({ howler }) => howler.id === chosen) ?? data.alerts[0];
  if (alert === undefined) return <EmptyState title={t('saved.preview.none')} />;
  return (
    <>
      <Select
        label={t('saved.preview.alert')}
        options={data.alerts.map(({ howler, event }) => ({
          value: howler.id,
          label: [howler.detection ?? howler.analytic, event?.created?.slice(0, 16).replace('T', ' ')].join(' · '),
          detail: howler.id,
        }))}
        value={alert.howler.id}
        onChange={setChosen}
      />
      <div className={styles.sample}>{children(alert)}</div>
    </>
  );
}
