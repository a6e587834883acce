import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonClass } from '../../design/controls/button-class.ts';
import { Page } from '../../design/layout/page.tsx';
import { TabPanel, Tabs } from '../../design/layout/tabs.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import styles from '../saved/saved.module.css';
import { AnalyticComments } from './analytic-comments.tsx';
import { AnalyticCounts } from './analytic-counts.tsx';
import { AnalyticOwner } from './analytic-owner.tsx';
import { analyticByIdQuery } from './analytic-queries.ts';
import { Description } from './description.tsx';
import { FavouriteAnalytic } from './favourite-analytic.tsx';
import { TriageForm } from './triage-form.tsx';

/** One analytic: what it finds, how its alerts are triaged, what became of them, what people say. */
export function AnalyticPage() {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/analytics/$id' });
  const { data, error, refetch } = useQuery(analyticByIdQuery(id));
  const actions = data === undefined ? null : <Actions analytic={data} />;
  return (
    <Page title={data?.name ?? t('analytics.title')} actions={actions}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading /> : <Sections key={id} analytic={data} />}
    </Page>
  );
}

function Actions({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  return (
    <>
      <FavouriteAnalytic id={analytic.analytic_id} name={analytic.name} />
      <Link to="/alerts" search={{ q: queryOfAnalytic(analytic.name) }} className={buttonClass()}>
        {t('analytics.openAlerts')}
      </Link>
    </>
  );
}

const SECTIONS = ['about', 'triage', 'comments'] as const;

function Sections({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const [section, setSection] = useState<(typeof SECTIONS)[number]>('about');
  return (
    <Tabs
      label={analytic.name}
      tabs={SECTIONS.map((value) => ({
        value,
        label: t(`analytics.sections.${value}`),
        ...(value === 'comments' ? { count: analytic.comment.length } : {}),
      }))}
      value={section}
      onChange={setSection}
    >
      <TabPanel value="about">
        <div className={styles.editor}>
          <Description analytic={analytic} />
          <div className={styles.part}>
            <AnalyticOwner analytic={analytic} />
            <AnalyticCounts analytic={analytic} />
          </div>
        </div>
      </TabPanel>
      <TabPanel value="triage">
        <TriageForm analytic={analytic} />
      </TabPanel>
      <TabPanel value="comments">
        <AnalyticComments analytic={analytic} />
      </TabPanel>
    </Tabs>
  );
}
