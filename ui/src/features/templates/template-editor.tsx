import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import { Form } from '../../design/forms/form.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { AnalyticFields, nameOfLayout } from '../saved/analytic-fields.tsx';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { DeleteButton } from '../saved/delete-button.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { useMe } from '../saved/ownership.ts';
import { OnSampleAlert } from '../saved/preview.tsx';
import styles from '../saved/saved.module.css';
import { KeyList } from './key-list.tsx';
import { TemplatePreview } from './template-preview.tsx';

type Template = components['schemas']['Template'];

interface Props {
  /** Undefined: a new one. */
  readonly template: Template | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** Edits which fields a template shows, beside one of the newest alerts that it is for. */
export function TemplateEditor({ template, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['alerts', 'template'] });
  const draft = useDraftName('template', template?.template_id);
  const form = useForm({
    draft,
    initial: {
      analytic: template?.analytic ?? '',
      detection: template?.detection ?? '',
      type: template?.type ?? 'personal',
      keys: (template?.keys ?? []) as readonly string[],
    },
    validate: ({ analytic, keys }) => ({
      analytic: analytic === '' ? t('common.required') : undefined,
      keys: keys.length === 0 ? t('common.required') : undefined,
    }),
    submit: async ({ analytic, detection, type, keys }) => {
      const body = { analytic, type, keys: [...keys], ...(detection === '' ? {} : { detection }) };
      const made =
        template === undefined
          ? await dataOf(alerts.POST('/api/v1/template/', { body }))
          : await dataOf(
              alerts.PUT('/api/v1/template/{id}', { params: { path: { id: template.template_id } }, body: [...keys] }),
            );
      await refresh();
      showToast(t('saved.done', { name: nameOfLayout(made) }));
      if (template === undefined) onOpen(made.template_id);
    },
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
            <RadioGroup
              label={t('saved.type')}
              options={(['personal', 'global'] as const).map((value) => ({ value, label: t(`saved.types.${value}`) }))}
              {...form.field('type')}
            />
          </>
        ) : null}
        <KeyList {...form.field('keys')} />
        <ConflictNote problem={form.problem} />
      </Form>
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
            {t('templates.deleteText', { count: found.data?.total ?? 0 })}
          </DeleteButton>
        </div>
      )}
    </EditorLayout>
  );
}
