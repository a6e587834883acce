import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { searchRecords } from '../../api/alert-searches.ts';
import { buttonClass } from '../../design/controls/button-class.ts';
import { Markdown } from '../../design/data/records/markdown.tsx';
import { Time } from '../../design/data/values/time.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Alert } from '../alerts/triage/alert.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import styles from '../saved/saved.module.css';
import { DetectionFilter, useDetection } from './detection-filter.tsx';

/** Alerts whose comments are shown. */
const ALERTS = 50;

/** Reads the comments of the alerts of a query that were commented last, the newest first. */
const commentsQuery = (query: string) => ({
  queryKey: ['alerts', 'hit', 'comments', query],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const search = { query, rows: ALERTS, sort: 'howler.comment.timestamp desc', fl: FIELDS };
    const { items, total } = await searchRecords<Alert>(search, { signal });
    const comments = items.flatMap(({ howler: { id, detection, comment } }) =>
      comment.map((one) => ({ ...one, alert: id, detection })),
    );
    return { total, comments: comments.toSorted((one, other) => other.timestamp.localeCompare(one.timestamp)) };
  },
});

const FIELDS = 'howler.id,howler.detection,howler.comment';

/** Draws what people wrote about the alerts of an analytic. */
export function AlertComments({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const detection = useDetection();
  const query = `${queryOfAnalytic(analytic.name, detection)} AND _exists_:howler.comment`;
  const { data, error, refetch } = useQuery(commentsQuery(query));
  return (
    <div className={styles.narrow}>
      <DetectionFilter detections={analytic.detections} />
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data?.comments.length === 0 ? <EmptyState title={t('analytics.noComments')} /> : null}
      {data !== undefined && data.total > ALERTS ? (
        <p className={styles.quiet}>
          {t('analytics.lastCommented', { count: ALERTS })}{' '}
          <Link to="/alerts" search={{ q: query }}>
            {t('analytics.allCommented')}
          </Link>
        </p>
      ) : null}
      <ol className={styles.found}>
        {data?.comments.map((comment) => (
          <li key={`${comment.alert} ${comment.id}`} className={styles.part}>
            <div className={styles.line}>
              <UserName user={comment.user} /> <Time value={comment.timestamp} form="both" />
              {comment.detection ? <Value value={comment.detection} inline /> : null}
              <Link
                to="/alerts/$id"
                params={{ id: comment.alert }}
                search={{ tab: 'comments' }}
                className={buttonClass('quiet')}
              >
                {t('analytics.openAlert')}
              </Link>
            </div>
            <Markdown text={comment.value} />
          </li>
        ))}
      </ol>
    </div>
  );
}
