import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { Form } from '../../design/forms/form.tsx';
import { changedMembers } from '../../design/forms/form-state.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { mayChange, mayDelete, useMe } from '../../shell/ownership.ts';
import { DeleteButton } from '../saved/delete-button.tsx';
import { Dependants } from '../saved/dependants.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { OwnedFacts } from '../saved/owned-facts.tsx';
import { Permissions } from '../saved/permissions.tsx';
import { OnSampleAlert } from '../saved/preview.tsx';
import { QueryField } from '../saved/query-field.tsx';
import styles from '../saved/saved.module.css';
import { TypeField, typeName } from '../saved/type-field.tsx';
import { DossierPreview } from './dossier-preview.tsx';
import { type Lead, LeadFields } from './lead-fields.tsx';
import { type Pivot, PivotFields } from './pivot-fields.tsx';

type Dossier = components['schemas']['Dossier'];

interface Props {
  /** Undefined: a new one. */
  readonly dossier: Dossier | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

interface DossierValues extends Pick<Dossier, 'title' | 'type'> {
  readonly query: string;
  readonly leads: readonly Lead[];
  readonly pivots: readonly Pivot[];
}

const NEW_DOSSIER: DossierValues = { title: '', query: '', type: 'personal', leads: [], pivots: [] };

const valuesOf = ({ title, query = '', type, leads = [], pivots = [] }: Dossier): DossierValues => ({
  title,
  query,
  type,
  leads,
  pivots,
});

function bodyOf({ title, query, type, ...lists }: DossierValues) {
  const further: Readonly<Record<string, unknown>> = lists;
  return { ...further, title, query, type };
}

const pathOf = ({ dossier_id: id }: Dossier) => ({ path: { id } });

const storedDossier = (dossier: Dossier): SavedObject<Dossier, DossierValues> => {
  const params = pathOf(dossier);
  return {
    valuesOf,
    read: () =>
      versionedDataOf(alerts.GET('/api/v1/dossier/{id}', { params: { ...params, query: { versioned: true } } })),
    write: (wanted, present, headers) => {
      const body = changedMembers(bodyOf(wanted), bodyOf(present));
      return dataOf(alerts.PUT('/api/v1/dossier/{id}', { params, body, headers }));
    },
  };
};

/** Edits the leads and pivots of a dossier beside what they are on one of the newest alerts. */
export function DossierEditor({ dossier, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['alerts', 'dossier'] });
  const { form, question } = useSavedForm({
    draft: useDraftName('dossier', dossier?.dossier_id),
    initial: dossier === undefined ? NEW_DOSSIER : valuesOf(dossier),
    validate: ({ title, query }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      query: query.trim() === '' ? t('common.required') : undefined,
    }),
    object: dossier && storedDossier(dossier),
    create: (values) => dataOf(alerts.POST('/api/v1/dossier/', { body: bodyOf(values) })),
    onSaved: async (saved) => {
      await refresh();
      showToast(t('saved.done', { name: saved.title }));
      if (dossier === undefined) onOpen(saved.dossier_id);
    },
    names: {
      title: t('dossiers.name'),
      query: t('saved.query'),
      type: t('saved.type'),
      leads: t('dossiers.leads'),
      pivots: t('dossiers.pivots'),
    },
    wordsOf: (member, value) => (member === 'type' ? typeName(t, value) : value),
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
          <TypeField {...form.field('type')} />
          <LeadFields {...form.field('leads')} />
          <PivotFields {...form.field('pivots')} />
        </Form>
      ) : (
        <OwnedFacts owner={dossier.owner} query={dossier.query} reason={t('saved.notYours')} />
      )}
      {question}
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
                <Dependants query={dossier.query ?? '*:*'}>{(count) => t('dossiers.deleteText', { count })}</Dependants>
              </DeleteButton>
            </div>
          ) : null}
          <Permissions
            object={dossier}
            mayChange={mayEdit}
            grant={(body) => change(alerts.PUT('/api/v1/dossier/{id}/permission', { params: pathOf(dossier), body }))}
            revoke={(body) =>
              change(alerts.DELETE('/api/v1/dossier/{id}/permission', { params: pathOf(dossier), body }))
            }
          />
        </>
      )}
    </EditorLayout>
  );
}
