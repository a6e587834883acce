import { useQuery } from '@tanstack/react-query';
import { alerts, dataOf } from '../../api/clients.ts';
import { Count } from '../../design/data/values/count.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { lateComponent } from '../../design/late/late-component.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { ObjectPage } from '../saved/object-page.tsx';
import { useObjectAddress } from '../saved/use-object-address.ts';

const DossierEditor = lateComponent(async () => (await import('./dossier-editor.tsx')).DossierEditor);

/** Lists the leads and pivots that are shown beside the alerts of a query. */
export function DossiersPage() {
  const { t } = useTranslation();
  const address = useObjectAddress('/dossiers');
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
      address={address}
    >
      {(dossier) => <DossierEditor key={address.id} dossier={dossier} onOpen={address.open} />}
    </ObjectPage>
  );
}
