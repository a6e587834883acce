import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { alerts, dataOf } from '../../api/clients.ts';
import { Count } from '../../design/data/values/count.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { ObjectPage } from '../saved/object-page.tsx';

const DossierEditor = lazy(async () => ({ default: (await import('./dossier-editor.tsx')).DossierEditor }));

/** Lists the leads and pivots that are shown beside the alerts of a query. */
export function DossiersPage() {
  const { t } = useTranslation();
  const { id } = useSearch({ from: '/dossiers' });
  const navigate = useNavigate({ from: '/dossiers' });
  const open = (next: string | undefined) => void navigate({ search: { id: next } });
  const result = useQuery({
    queryKey: ['alerts', 'dossier'],
    queryFn: ({ signal }) => dataOf(alerts.GET('/api/v1/dossier/', { signal })),
  });
  return (
    <ObjectPage
      title={t('dossiers.title')}
      createLabel={t('dossiers.create')}
      empty={t('dossiers.empty')}
      result={result}
      idOf={(dossier) => dossier.dossier_id}
      nameOf={({ title }) => title}
      // The service leaves empty leads and pivots out of its list, as the public system does.
      columns={[
        { id: 'type', title: t('saved.type'), cell: ({ type }) => t(`saved.types.${type}`) },
        { id: 'owner', title: t('saved.owner'), cell: ({ owner }) => <UserName user={owner} /> },
        { id: 'query', title: t('saved.query'), cell: ({ query }) => <Value value={query} limit={120} inline /> },
        {
          id: 'leads',
          title: t('dossiers.leads'),
          align: 'end',
          cell: ({ leads }) => <Count value={leads?.length ?? 0} />,
        },
        {
          id: 'pivots',
          title: t('dossiers.pivots'),
          align: 'end',
          cell: ({ pivots }) => <Count value={pivots?.length ?? 0} />,
        },
      ]}
      id={id}
      onOpen={open}
    >
      {(dossier) => <DossierEditor key={id} dossier={dossier} onOpen={open} />}
    </ObjectPage>
  );
}
