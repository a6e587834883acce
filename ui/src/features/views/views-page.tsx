import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lateComponent } from '../../design/late/late-component.tsx';
import { Page } from '../../design/layout/page.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { viewsQuery } from '../query/sources/saved-views.ts';
import { useViewTitle } from '../query/sources/view-title.ts';
import { CreateButton } from '../saved/create-button.tsx';
import { NEW_OBJECT } from '../saved/object-parameters.ts';
import { useObjectAddress } from '../saved/use-object-address.ts';
import { ViewList } from './view-list.tsx';

const ViewEditor = lateComponent(async () => (await import('./view-editor.tsx')).ViewEditor);

/** The saved searches: a list, or the one that is edited. */
export function ViewsPage() {
  const { t } = useTranslation();
  const address = useObjectAddress('/views');
  const { id, open } = address;
  const titleOf = useViewTitle();
  const { data, error, refetch } = useQuery(viewsQuery);
  const view = data?.find((one) => one.view_id === id);
  const title = id === NEW_OBJECT ? t('views.create') : view === undefined ? t('views.title') : titleOf(view);
  const create =
    id === undefined ? <CreateButton label={t('views.create')} onCreate={() => open(NEW_OBJECT)} /> : undefined;
  const content = () => {
    if (data === undefined) return error === null ? <Loading /> : null;
    if (id === undefined) return <ViewList views={data} address={address} />;
    if (id !== NEW_OBJECT && view === undefined) return <EmptyState title={t('views.missing')} />;
    return (
      <Suspense fallback={<Loading />}>
        <ViewEditor key={id} view={view} onOpen={open} />
      </Suspense>
    );
  };
  return (
    <Page title={title} actions={create}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {content()}
    </Page>
  );
}
