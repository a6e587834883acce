import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import { Form } from '../../design/forms/form.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useMe } from '../../shell/ownership.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { DeleteButton } from '../saved/delete-button.tsx';
import { Dependants } from '../saved/dependants.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import { AnalyticFields } from '../saved/layouts/analytic-fields.tsx';
import { type Template, templatesQuery } from '../saved/layouts/layout-queries.ts';
import { nameOfLayout, queryOfLayout } from '../saved/layouts/layouts.ts';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { OnSampleAlert } from '../saved/preview.tsx';
import styles from '../saved/saved.module.css';
import { TypeField } from '../saved/type-field.tsx';
import { KeyList } from './key-list.tsx';
import { TemplatePreview } from './template-preview.tsx';

interface Props {
  /** Undefined: a new one. */
  readonly template: Template | undefined;
  /** All templates that this account sees. */
  readonly all: readonly Template[];
  /** The analytic that a new one begins with. */
  readonly analytic: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

interface TemplateValues extends Pick<Template, 'analytic' | 'type'> {
  readonly detection: string;
  readonly keys: readonly string[];
}

const valuesOf = ({ analytic, detection = '', type, keys }: Template): TemplateValues => ({
  analytic,
  detection,
  type,
  keys,
});

const storedTemplate = ({ template_id: id }: Template): SavedObject<Template, TemplateValues> => {
  const params = { path: { id } };
  return {
    valuesOf,
    read: () =>
      versionedDataOf(alerts.GET('/api/v1/template/{id}', { params: { ...params, query: { versioned: true } } })),
    write: ({ keys }, _present, headers) =>
      dataOf(alerts.PUT('/api/v1/template/{id}', { params, body: [...keys], headers })),
  };
};

function createTemplate({ analytic, detection, type, keys }: TemplateValues): Promise<Template> {
  const body = { analytic, type, keys: [...keys], ...(detection === '' ? {} : { detection }) };
  return dataOf(alerts.POST('/api/v1/template/', { body }));
}

/** Edits which fields a template shows, beside one of the newest alerts that it is for. */
export function TemplateEditor({ template, all, analytic: begun = '', onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
  const { form, question } = useSavedForm({
    draft: useDraftName('template', template?.template_id),
    initial:
      template === undefined ? { analytic: begun, detection: '', type: 'personal', keys: [] } : valuesOf(template),
    validate: ({ analytic, keys }) => ({
      analytic: analytic === '' ? t('common.required') : undefined,
      keys: keys.length === 0 ? t('common.required') : undefined,
    }),
    object: template && storedTemplate(template),
    create: createTemplate,
    onSaved: async (saved) => {
      await refresh();
      showToast(t('saved.done', { name: nameOfLayout(saved) }));
      if (template === undefined) onOpen(saved.template_id);
    },
    names: { keys: t('templates.keys') },
  });
  const { analytic, detection, keys } = form.values;
  const found = useNewestAlerts(queryOfAnalytic(analytic, detection));
  const isMine = template?.type === 'personal' && template.owner === me.username;
  return (
    <EditorLayout
      onBack={() => onOpen(undefined)}
      preview={<OnSampleAlert found={found}>{(alert) => <TemplatePreview alert={alert} keys={keys} />}</OnSampleAlert>}
    >
      <Form
        form={form}
        label={t(template === undefined ? 'templates.create' : 'common.edit')}
        submitLabel={t(template === undefined ? 'common.create' : 'common.save')}
      >
        {template === undefined ? (
          <>
            <AnalyticFields analytic={form.field('analytic')} detection={form.field('detection')} />
            <TypeField {...form.field('type')} />
          </>
        ) : null}
        <KeyList {...form.field('keys')} />
      </Form>
      {question}
      {template === undefined ? null : (
        <div className={styles.line}>
          <DeleteButton
            name={nameOfLayout(template)}
            refused={isMine || me.isAdministrator ? undefined : t('templates.notDeletable')}
            onDelete={async () => {
              await alerts.DELETE('/api/v1/template/{id}', { params: { path: { id: template.template_id } } });
              onOpen(undefined);
              await refresh();
            }}
          >
            <Dependants query={queryOfLayout(template, all)}>
              {(count) => t('templates.deleteText', { count })}
            </Dependants>
          </DeleteButton>
        </div>
      )}
    </EditorLayout>
  );
}
