import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Tags } from '../../design/data/values/tags.tsx';
import { lateComponent } from '../../design/late/late-component.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { templatesQuery } from '../saved/layouts/layout-queries.ts';
import { nameOfLayout } from '../saved/layouts/layouts.ts';
import { ObjectPage } from '../saved/object-page.tsx';
import { Reach } from '../saved/type-field.tsx';
import { useObjectAddress } from '../saved/use-object-address.ts';

const TemplateEditor = lateComponent(async () => (await import('./template-editor.tsx')).TemplateEditor);

/** Lists which fields of the alerts of an analytic come first. */
export function TemplatesPage() {
  const { t } = useTranslation();
  const { analytic } = useSearch({ from: '/templates' });
  const address = useObjectAddress('/templates');
  const result = useQuery(templatesQuery);
  return (
    <ObjectPage
      title={t('templates.title')}
      createLabel={t('templates.create')}
      empty={t('templates.empty')}
      result={result}
      idOf={(template) => template.template_id}
      nameOf={nameOfLayout}
      columns={[
        {
          id: 'type',
          title: t('saved.type'),
          cell: ({ type, owner }) => <Reach type={type} owner={owner} />,
        },
        { id: 'keys', title: t('templates.keys'), cell: ({ keys }) => <Tags values={keys} /> },
      ]}
      address={address}
    >
      {(template) => (
        <TemplateEditor
          key={address.id}
          template={template}
          all={result.data ?? []}
          analytic={analytic}
          onOpen={address.open}
        />
      )}
    </ObjectPage>
  );
}
