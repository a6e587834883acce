import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { alerts, dataOf } from '../../api/clients.ts';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { nameOfLayout } from '../saved/analytic-fields.tsx';
import { ObjectPage } from '../saved/object-page.tsx';

const OverviewEditor = lazy(async () => ({ default: (await import('./overview-editor.tsx')).OverviewEditor }));

/** Lists how the alerts of an analytic are summed up in prose. */
export function OverviewsPage() {
  const { t } = useTranslation();
  const { id } = useSearch({ from: '/overviews' });
  const navigate = useNavigate({ from: '/overviews' });
  const open = (next: string | undefined) => void navigate({ search: { id: next } });
  const result = useQuery({
    queryKey: ['alerts', 'overview'],
    queryFn: ({ signal }) => dataOf(alerts.GET('/api/v1/overview/', { signal })),
  });
  return (
    <ObjectPage
      title={t('overviews.title')}
      createLabel={t('overviews.create')}
      empty={t('overviews.empty')}
      result={result}
      idOf={(overview) => overview.overview_id}
      nameOf={nameOfLayout}
      columns={[
        { id: 'owner', title: t('saved.owner'), cell: ({ owner }) => <UserName user={owner} /> },
        {
          id: 'content',
          title: t('overviews.content'),
          cell: ({ content }) => <Value value={content} limit={120} inline />,
        },
      ]}
      id={id}
      onOpen={open}
    >
      {(overview) => <OverviewEditor key={id} overview={overview} onOpen={open} />}
    </ObjectPage>
  );
}
