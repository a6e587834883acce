import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import { Form } from '../../design/forms/form.tsx';
import { changedMembers } from '../../design/forms/form-state.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { DeleteButton } from '../saved/delete-button.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { OwnedFacts } from '../saved/owned-facts.tsx';
import { mayChange, mayDelete, useMe } from '../saved/ownership.ts';
import { type Permission, Permissions } from '../saved/permissions.tsx';
import { OnSampleAlert } from '../saved/preview.tsx';
import { QueryField } from '../saved/query-field.tsx';
import styles from '../saved/saved.module.css';
import { DossierPreview } from './dossier-preview.tsx';
import { type Lead, LeadFields } from './lead-fields.tsx';
import { type Pivot, PivotFields } from './pivot-fields.tsx';

type Dossier = components['schemas']['Dossier'];

interface Props {
  /** Undefined: a new one. */
  readonly dossier: Dossier | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** Edits the leads and pivots of a dossier beside what they are on one of the newest alerts. */
export function DossierEditor({ dossier, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['alerts', 'dossier'] });
  const draft = useDraftName('dossier', dossier?.dossier_id);
  const form = useForm({
    draft,
    initial: {
      title: dossier?.title ?? '',
      query: dossier?.query ?? '',
      type: dossier?.type ?? 'personal',
      leads: (dossier?.leads ?? []) as readonly Lead[],
      pivots: (dossier?.pivots ?? []) as readonly Pivot[],
    },
    validate: ({ title, query }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      query: query.trim() === '' ? t('common.required') : undefined,
    }),
    submit: async (values, stored) => {
      const made =
        dossier === undefined
          ? await dataOf(alerts.POST('/api/v1/dossier/', { body: bodyOf(values) }))
          : await dataOf(
              alerts.PUT('/api/v1/dossier/{id}', {
                params: pathOf(dossier),
                body: changedMembers(bodyOf(values), bodyOf(stored)),
              }),
            );
      await refresh();
      showToast(t('saved.done', { name: made.title }));
      if (dossier === undefined) onOpen(made.dossier_id);
    },
  });
  const { query, leads, pivots } = form.values;
  const found = useNewestAlerts(query);
  const mayEdit = dossier === undefined || mayChange(me, dossier);
  const change = (request: Promise<unknown>) => request.then(refresh);
  return (
    <EditorLayout
      onBack={() => onOpen(undefined)}
      preview={
        <OnSampleAlert found={found}>
          {(alert) => <DossierPreview alert={alert} leads={leads} pivots={pivots} />}
        </OnSampleAlert>
      }
    >
      {mayEdit ? (
        <Form
          form={form}
          label={t(dossier === undefined ? 'dossiers.create' : 'common.edit')}
          submitLabel={t(dossier === undefined ? 'common.create' : 'common.save')}
        >
          <TextField label={t('dossiers.name')} required {...form.field('title')} />
          <QueryField label={t('saved.query')} hint={t('dossiers.queryHint')} found={found} {...form.field('query')} />
          <RadioGroup
            label={t('saved.type')}
            options={(['personal', 'global'] as const).map((value) => ({ value, label: t(`saved.types.${value}`) }))}
            {...form.field('type')}
          />
          <LeadFields {...form.field('leads')} />
          <PivotFields {...form.field('pivots')} />
          <ConflictNote problem={form.problem} />
        </Form>
      ) : (
        <OwnedFacts owner={dossier.owner} query={dossier.query} reason={t('saved.notYours')} />
      )}
      {dossier === undefined ? null : (
        <>
          {mayEdit ? (
            <div className={styles.line}>
              <DeleteButton
                name={dossier.title}
                refused={mayDelete(me, dossier) ? undefined : t('saved.notDeletable')}
                onDelete={async () => {
                  await alerts.DELETE('/api/v1/dossier/{id}', { params: pathOf(dossier) });
                  onOpen(undefined);
                  await refresh();
                }}
              >
                {t('dossiers.deleteText', { count: found.data?.total ?? 0 })}
              </DeleteButton>
            </div>
          ) : null}
          <Permissions
            object={dossier}
            mayChange={mayEdit}
            give={(body) => change(alerts.PUT('/api/v1/dossier/{id}/permission', { params: pathOf(dossier), body }))}
            take={(body: Permission[]) =>
              change(alerts.DELETE('/api/v1/dossier/{id}/permission', { params: pathOf(dossier), body }))
            }
          />
        </>
      )}
    </EditorLayout>
  );
}

const pathOf = ({ dossier_id: id }: Dossier) => ({ path: { id } });

interface DossierValues extends Pick<Dossier, 'title' | 'type'> {
  readonly query: string;
  readonly leads: readonly Lead[];
  readonly pivots: readonly Pivot[];
}

function bodyOf({ title, query, type, ...lists }: DossierValues) {
  const further: Readonly<Record<string, unknown>> = lists;
  return { ...further, title, query, type };
}
