import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../design/controls/button-class.ts';
import { Tags } from '../../design/data/values/tags.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { type SimpleColumn, SimpleTable } from '../../design/layout/simple-table.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { overviewsQuery, templatesQuery } from '../saved/layouts/layout-queries.ts';
import type { Layout } from '../saved/layouts/layouts.ts';
import { NEW_OBJECT } from '../saved/object-parameters.ts';
import styles from '../saved/saved.module.css';
import { Reach } from '../saved/type-field.tsx';

interface Props {
  readonly analytic: Analytic;
}

/** Draws the templates of an analytic and its detections. */
export function AnalyticTemplates({ analytic }: Props) {
  const { t } = useTranslation();
  return (
    <Layouts
      analytic={analytic}
      path="/templates"
      result={useQuery(templatesQuery)}
      idOf={(template) => template.template_id}
      title={t('templates.title')}
      createLabel={t('templates.create')}
      empty={t('templates.empty')}
      columns={[
        {
          id: 'type',
          title: t('saved.type'),
          cell: ({ type, owner }) => <Reach type={type} owner={owner} />,
        },
        { id: 'keys', title: t('templates.keys'), cell: ({ keys }) => <Tags values={keys} /> },
      ]}
    />
  );
}

/** Draws the overviews of an analytic and its detections. */
export function AnalyticOverviews({ analytic }: Props) {
  const { t } = useTranslation();
  return (
    <Layouts
      analytic={analytic}
      path="/overviews"
      result={useQuery(overviewsQuery)}
      idOf={(overview) => overview.overview_id}
      title={t('overviews.title')}
      createLabel={t('overviews.create')}
      empty={t('overviews.empty')}
      columns={[
        { id: 'owner', title: t('saved.owner'), cell: ({ owner }) => <UserName user={owner} /> },
        {
          id: 'content',
          title: t('overviews.content'),
          cell: ({ content }) => <Value value={content} limit={120} inline />,
        },
      ]}
    />
  );
}

interface LayoutsProps<Item extends Layout> extends Props {
  readonly path: '/templates' | '/overviews';
  readonly result: UseQueryResult<readonly Item[]>;
  readonly idOf: (item: Item) => string;
  readonly title: string;
  readonly createLabel: string;
  readonly empty: string;
  readonly columns: readonly SimpleColumn<Item>[];
}

/** Draws the objects of a kind that are for an analytic; each leads to its editor. */
function Layouts<Item extends Layout>(props: LayoutsProps<Item>) {
  const { analytic, path, result, idOf, title, createLabel, empty, columns } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = result;
  const name = analytic.name.toLowerCase();
  const rows = data?.filter((one) => one.analytic.toLowerCase() === name);
  return (
    <div className={styles.list}>
      <div>
        <Link to={path} search={{ id: NEW_OBJECT, analytic: analytic.name }} className={buttonClass()}>
          {createLabel}
        </Link>
      </div>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {rows?.length === 0 ? <EmptyState title={t('common.none')}>{empty}</EmptyState> : null}
      {rows !== undefined && rows.length > 0 ? (
        <SimpleTable
          label={title}
          rows={rows}
          keyOf={idOf}
          columns={[
            {
              id: 'detection',
              title: t('saved.detection'),
              cell: (row) => (
                <Link to={path} search={{ id: idOf(row) }}>
                  <bdi>{row.detection || t('analytics.allDetections')}</bdi>
                </Link>
              ),
            },
            ...columns,
          ]}
        />
      ) : null}
    </div>
  );
}
