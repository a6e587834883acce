import { useQuery } from '@tanstack/react-query';
import { searchRecords } from '../../../../api/alert-searches.ts';
import { AssessmentMark, StatusMark } from '../../../../design/data/marks/severity-marks.tsx';
import { Markdown } from '../../../../design/data/records/markdown.tsx';
import { Tags } from '../../../../design/data/values/tags.tsx';
import { UserName } from '../../../../design/data/values/user-name.tsx';
import { EmptyState } from '../../../../design/states/empty-state.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { queryOfAnalytic } from '../../../query/model/record-queries.ts';
import type { Alert } from '../../triage/alert.ts';
import { validAssessments } from '../../triage/changes/assessments.ts';
import { useAnalytic } from '../../triage/use-analytic.ts';
import styles from './tabs.module.css';
import { LAST_ALERTS, tallyOf } from './verdict-tally.ts';

/** Draws the analytic of an alert, and what colleagues decided about its last alerts. */
export function AnalyticTab({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const found = useAnalytic(alert.howler.analytic);
  const analytic = alert.__analytic ?? found.data;
  if (found.isPending && !analytic) return <Loading />;
  return (
    <div className={styles.tab}>
      <Verdicts name={alert.howler.analytic} />
      {analytic ? (
        <>
          {analytic.description && (
            <section>
              <h3 className={styles.head}>{t('alert.analytic.description')}</h3>
              <Markdown text={analytic.description} />
            </section>
          )}
          <section>
            <h3 className={styles.head}>{t('alert.analytic.settings')}</h3>
            <ul className={styles.plain}>
              <li>
                <span className={styles.quiet}>{t('alert.analytic.owner')}</span> <UserName user={analytic.owner} />
              </li>
              <li>
                <span className={styles.quiet}>{t('alert.analytic.assessments')}</span>
                {validAssessments(analytic.triage_settings).map((assessment) => (
                  <AssessmentMark key={assessment} value={assessment} />
                ))}
              </li>
              <li>
                <span className={styles.quiet}>{t('alert.analytic.rationales')}</span>
                <Tags values={analytic.triage_settings?.rationales ?? []} />
              </li>
              <li>
                <span className={styles.quiet}>{t('alert.analytic.reason')}</span>
                {t(
                  analytic.triage_settings?.skip_rationale === true
                    ? 'alert.analytic.reasonSkipped'
                    : 'alert.analytic.reasonAsked',
                )}
              </li>
              <li>
                <span className={styles.quiet}>{t('alert.analytic.contributors')}</span>
                <Tags values={analytic.contributors} />
              </li>
            </ul>
          </section>
        </>
      ) : (
        <EmptyState title={t('alert.analytic.unknown')} />
      )}
    </div>
  );
}

function Verdicts({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['alerts', 'hit', 'verdicts', name],
    queryFn: async ({ signal }) => {
      const fl = 'howler.assessment,howler.status';
      const search = { query: queryOfAnalytic(name), fl, rows: LAST_ALERTS, sort: 'event.created desc' };
      return (await searchRecords(search, { signal })).items;
    },
    staleTime: 60_000,
  });
  if (isPending) return <Loading />;
  if (error) return <ProblemPanel problem={error} onRetry={() => void refetch()} />;
  const { verdicts, waiting } = tallyOf(data);
  return (
    <section>
      <h3 className={styles.head}>{t('alert.analytic.verdicts', { count: data.length })}</h3>
      <dl className={styles.bars}>
        {verdicts.map(({ assessment, count }) => (
          <Bar key={assessment} label={<AssessmentMark value={assessment} />} count={count} total={data.length} />
        ))}
        {waiting > 0 && <Bar label={<StatusMark value="open" />} count={waiting} total={data.length} />}
      </dl>
    </section>
  );
}

interface BarProps {
  readonly label: React.ReactNode;
  readonly count: number;
  readonly total: number;
}

function Bar({ label, count, total }: BarProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd aria-hidden>
        <div className={styles.bar} style={{ inlineSize: `${(100 * count) / Math.max(1, total)}%` }} />
      </dd>
      <dd>{count}</dd>
    </>
  );
}
