import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Page } from '../../design/layout/page.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { ProblemPanel } from '../../design/states/problem-panel.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { useCommands } from '../../keys/commands.tsx';
import { viewsQuery } from '../alerts/list/search/completion-sources.ts';
import { ViewList } from './view-list.tsx';
import { useViewTitle } from './view-title.ts';

const ViewEditor = lazy(async () => ({ default: (await import('./view-editor.tsx')).ViewEditor }));

/** The saved searches: a list, or the one that is edited. */
export function ViewsPage() {
  const { t } = useTranslation();
  const { id } = useSearch({ from: '/views' });
  const navigate = useNavigate({ from: '/views' });
  const titleOf = useViewTitle();
  const { data, error, refetch } = useQuery(viewsQuery);
  const open = (next: string | undefined) => void navigate({ search: (before) => ({ ...before, id: next }) });
  useCommands([{ id: 'create', run: () => open('new') }]);

  const view = data?.find((one) => one.view_id === id);
  const title = id === 'new' ? t('views.create') : view === undefined ? t('views.title') : titleOf(view);
  const create = (
    <Button icon={Plus} onClick={() => open('new')}>
      {t('views.create')}
    </Button>
  );
  const content = () => {
    if (data === undefined) return error === null ? <Loading /> : null;
    if (id === undefined) return <ViewList views={data} onOpen={open} />;
    if (id !== 'new' && view === undefined) return <EmptyState title={t('views.missing')} />;
    return (
      <Suspense fallback={<Loading />}>
        <ViewEditor key={id} view={view} onOpen={open} />
      </Suspense>
    );
  };
  return (
    <Page title={title} actions={id === undefined ? create : undefined}>
      {error === null ? null : <ProblemPanel problem={error} onRetry={() => void refetch()} />}
      {content()}
    </Page>
  );
}
