import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';
import { BarList } from '../../design/data/charts/bar-list.tsx';
import { AssessmentMark, EscalationMark, StatusMark } from '../../design/data/marks/severity-marks.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import styles from '../saved/saved.module.css';
import { countOf, countsQuery } from './analytic-queries.ts';

const STATUS = 'howler.status';
const ESCALATION = 'howler.escalation';
const ASSESSMENT = 'howler.assessment';
const DETECTION = 'howler.detection';

/** Draws what became of the alerts of an analytic; each count leads to its alerts. */
export function AnalyticCounts({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const query = queryOfAnalytic(analytic.name);
  const { data, error, refetch } = useQuery(countsQuery(query, [STATUS, ESCALATION, ASSESSMENT, DETECTION]));
  if (error !== null) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const draw = (title: string, field: string, label: (value: string) => ReactNode, values?: readonly string[]) => {
    const counts = data[field];
    const items = (values ?? Object.keys(counts ?? {}))
      .map((id) => ({ id, label: label(id), count: countOf(counts, id) }))
      .toSorted((one, other) => other.count - one.count);
    return (
      <section className={styles.part}>
        <h2 className={styles.heading}>{title}</h2>
        {items.length === 0 ? <p className={styles.quiet}>{t('common.none')}</p> : null}
        <BarList
          label={title}
          items={items}
          onPick={(id) => void navigate({ to: '/alerts', search: { q: `${query} AND ${field}:${quotedPhrase(id)}` } })}
        />
      </section>
    );
  };
  return (
    <>
      {draw(t('analytics.status'), STATUS, (value) => (
        <StatusMark value={value} />
      ))}
      {draw(t('analytics.escalations'), ESCALATION, (value) => (
        <EscalationMark value={value} />
      ))}
      {draw(t('analytics.assessments'), ASSESSMENT, (value) => (
        <AssessmentMark value={value} />
      ))}
      {draw(
        t('analytics.detections'),
        DETECTION,
        (value) => (
          <Value value={value} inline />
        ),
        analytic.detections,
      )}
    </>
  );
}
