import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { alerts, dataOf } from '../../api/clients.ts';
import { Tags } from '../../design/data/values/tags.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { nameOfLayout } from '../saved/analytic-fields.tsx';
import { ObjectPage } from '../saved/object-page.tsx';

const TemplateEditor = lazy(async () => ({ default: (await import('./template-editor.tsx')).TemplateEditor }));

/** Lists which fields of the alerts of an analytic come first. */
export function TemplatesPage() {
  const { t } = useTranslation();
  const { id } = useSearch({ from: '/templates' });
  const navigate = useNavigate({ from: '/templates' });
  const open = (next: string | undefined) => void navigate({ search: { id: next } });
  const result = useQuery({
    queryKey: ['alerts', 'template'],
    queryFn: ({ signal }) => dataOf(alerts.GET('/api/v1/template/', { signal })),
  });
  return (
    <ObjectPage
      title={t('templates.title')}
      createLabel={t('templates.create')}
      empty={t('templates.empty')}
      result={result}
      idOf={(template) => template.template_id}
      nameOf={nameOfLayout}
      columns={[
        { id: 'type', title: t('saved.type'), cell: ({ type }) => t(`saved.types.${type}`) },
        {
          id: 'owner',
          title: t('saved.owner'),
          cell: ({ owner }) => (owner ? <UserName user={owner} /> : null),
        },
        { id: 'keys', title: t('templates.keys'), cell: ({ keys }) => <Tags values={keys} /> },
      ]}
      id={id}
      onOpen={open}
    >
      {(template) => <TemplateEditor key={id} template={template} onOpen={open} />}
    </ObjectPage>
  );
}
