import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ApiProblem } from '../../../api/problem.ts';
import { Time } from '../../../design/data/values/time.tsx';
import { Value } from '../../../design/data/values/value.tsx';
import { Page } from '../../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../../design/layout/tabs.tsx';
import { EmptyState } from '../../../design/states/empty-state.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import styles from '../files.module.css';
import { REPORT_TABS, type ReportTab } from '../routes.ts';
import { VerdictMark } from '../verdict-mark.tsx';
import type { Report } from './report.ts';
import { ErrorTable, TagTable } from './report-lists.tsx';
import { FileTree, ResultTree } from './report-trees.tsx';
import { type LiveReport, useReport } from './use-report.ts';

/** The report of a submission, while it is scanned and afterwards. */
export function ReportPage() {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/files/$id' });
  const live = useReport(id);
  const { report, problem, retry } = live;
  const isMissing = problem instanceof ApiProblem && problem.status === 404;
  return (
    <Page title={t('files.report')} fit="fill" classification={report?.classification}>
      {isMissing ? <EmptyState title={t('files.missing')}>{t('files.missingText')}</EmptyState> : null}
      {problem !== null && !isMissing ? <ProblemPanel problem={problem} onRetry={retry} /> : null}
      {report === undefined ? problem === null && <Loading /> : <OpenReport report={report} live={live} />}
    </Page>
  );
}

function OpenReport({ report, live }: { readonly report: Report; readonly live: LiveReport }) {
  const { t } = useTranslation();
  const { tab = 'results' } = useSearch({ from: '/files/$id' });
  const navigate = useNavigate({ from: '/files/$id' });
  const show = (next: ReportTab) =>
    void navigate({ search: { tab: next === 'results' ? undefined : next }, replace: true });
  const step = (by: number) => {
    const next = REPORT_TABS[REPORT_TABS.indexOf(tab) + by];
    if (next !== undefined) show(next);
  };
  useCommands([
    { id: 'previousTab', run: () => step(-1) },
    { id: 'nextTab', run: () => step(1) },
  ]);
  const counts: Readonly<Record<ReportTab, number>> = {
    results: report.results.length,
    files: report.files.length,
    tags: report.tags.length,
    errors: report.errors.length,
  };
  return (
    <div className={styles.page}>
      <div className={styles.summary}>
        <VerdictMark score={report.score} />
        <Value value={report.description} inline />
        <span className={styles.quiet}>
          <Value value={report.submitter} inline />
        </span>
        <span className={styles.quiet}>
          <Time value={report.submitted} />
        </span>
        <span role="status">{live.isRunning ? runningText(live, t) : t('files.completed')}</span>
      </div>
      <Tabs
        label={t('files.report')}
        tabs={REPORT_TABS.map((value) => ({ value, label: t(`files.tabs.${value}`), count: counts[value] }))}
        value={tab}
        onChange={show}
      >
        <TabPanel value={tab} flush>
          <div className={styles.panel}>
            {tab === 'results' && <ResultTree report={report} />}
            {tab === 'files' && <FileTree report={report} />}
            {tab === 'tags' && <TagTable tags={report.tags} />}
            {tab === 'errors' && <ErrorTable errors={report.errors} />}
          </div>
        </TabPanel>
      </Tabs>
    </div>
  );
}

function runningText({ outstanding }: LiveReport, t: ReturnType<typeof useTranslation>['t']): string {
  const waiting = [...outstanding].map(([service, count]) => `${service} ${count}`).join(', ');
  return waiting === '' ? t('files.running') : t('files.waitingFor', { waiting });
}
