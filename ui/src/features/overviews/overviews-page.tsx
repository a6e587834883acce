import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { lateComponent } from '../../design/late/late-component.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { overviewsQuery } from '../saved/layouts/layout-queries.ts';
import { nameOfLayout } from '../saved/layouts/layouts.ts';
import { ObjectPage } from '../saved/object-page.tsx';
import { useObjectAddress } from '../saved/use-object-address.ts';

const OverviewEditor = lateComponent(async () => (await import('./overview-editor.tsx')).OverviewEditor);

/** Lists how the alerts of an analytic are summed up in prose. */
export function OverviewsPage() {
  const { t } = useTranslation();
  const { analytic } = useSearch({ from: '/overviews' });
  const address = useObjectAddress('/overviews');
  const result = useQuery(overviewsQuery);
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
      address={address}
    >
      {(overview) => (
        <OverviewEditor
          key={address.id}
          overview={overview}
          all={result.data ?? []}
          analytic={analytic}
          onOpen={address.open}
        />
      )}
    </ObjectPage>
  );
}
