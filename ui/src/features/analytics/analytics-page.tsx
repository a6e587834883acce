import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { Count } from '../../design/data/values/count.tsx';
import { Tags } from '../../design/data/values/tags.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { SearchField } from '../../design/forms/search-field.tsx';
import { Page } from '../../design/layout/page.tsx';
import { SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useAccount } from '../../shell/session-context.tsx';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import styles from '../saved/saved.module.css';
import { countOf, countsQuery } from './analytic-queries.ts';
import { FavouriteAnalytic } from './favourite-analytic.tsx';

/** The detectors that raise alerts, the favourites of this person first. */
export function AnalyticsPage() {
  const { t } = useTranslation();
  const { q = '' } = useSearch({ from: '/analytics' });
  const navigate = useNavigate({ from: '/analytics' });
  const { data, error, refetch } = useQuery(analyticsQuery);
  const typed = q.trim().toLowerCase();
  const favourites = useAccount().data?.favourite_analytics ?? [];
  const rank = ({ analytic_id: id }: Analytic) => (favourites.includes(id) ? 0 : 1);
  const rows = (data ?? [])
    .filter(({ name, detections }) => [name, ...detections].some((part) => part.toLowerCase().includes(typed)))
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  return (
    <Page title={t('analytics.title')}>
      <div className={styles.list}>
        <div className={styles.search}>
          <SearchField
            label={t('analytics.search')}
            value={q}
            onChange={(text) => void navigate({ search: { q: text === '' ? undefined : text }, replace: true })}
          />
        </div>
        {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
        {data === undefined ? error === null && <Loading /> : <Analytics rows={rows} isFiltered={q !== ''} />}
      </div>
    </Page>
  );
}

const NAME = 'howler.analytic';

function Analytics({ rows, isFiltered }: { readonly rows: readonly Analytic[]; readonly isFiltered: boolean }) {
  const { t } = useTranslation();
  const { data: counts } = useQuery(countsQuery('*:*', [NAME]));
  if (rows.length === 0) {
    return (
      <EmptyState title={t(isFiltered ? 'analytics.noMatch' : 'analytics.empty')}>
        {isFiltered ? null : t('analytics.emptyText')}
      </EmptyState>
    );
  }
  return (
    <SimpleTable
      isPageList
      label={t('analytics.title')}
      rows={rows}
      keyOf={({ analytic_id: id }) => id}
      columns={[
        { id: 'favourite', cell: ({ analytic_id: id, name }) => <FavouriteAnalytic id={id} name={name} /> },
        {
          id: 'name',
          title: t('common.name'),
          cell: ({ analytic_id: id, name }) => (
            <Link to="/analytics/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        {
          id: 'alerts',
          title: t('analytics.alerts'),
          align: 'end',
          cell: ({ name }) =>
            counts === undefined ? null : (
              <Link to="/alerts" search={{ q: queryOfAnalytic(name) }}>
                <Count value={countOf(counts[NAME], name)} />
              </Link>
            ),
        },
        { id: 'detections', title: t('analytics.detections'), cell: ({ detections }) => <Tags values={detections} /> },
        { id: 'owner', title: t('saved.owner'), cell: ({ owner }) => <UserName user={owner} /> },
      ]}
    />
  );
}
