import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import { Overview } from '../../design/data/records/overview.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { useLater } from '../../design/forms/use-later.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { mayDelete, useMe } from '../../shell/ownership.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { DeleteButton } from '../saved/delete-button.tsx';
import { Dependants } from '../saved/dependants.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import { AnalyticFields } from '../saved/layouts/analytic-fields.tsx';
import { overviewsQuery, type Overview as StoredOverview } from '../saved/layouts/layout-queries.ts';
import { nameOfLayout, queryOfLayout } from '../saved/layouts/layouts.ts';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { OnSampleAlert } from '../saved/preview.tsx';
import styles from '../saved/saved.module.css';

interface Props {
  /** Undefined: a new one. */
  readonly overview: StoredOverview | undefined;
  /** All overviews. */
  readonly all: readonly StoredOverview[];
  /** The analytic that a new one begins with. */
  readonly analytic: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

interface OverviewValues {
  readonly analytic: string;
  readonly detection: string;
  readonly content: string;
}

const valuesOf = ({ analytic, detection = '', content }: StoredOverview): OverviewValues => ({
  analytic,
  detection,
  content,
});

const storedOverview = ({ overview_id: id }: StoredOverview): SavedObject<StoredOverview, OverviewValues> => {
  const params = { path: { id } };
  return {
    valuesOf,
    read: () =>
      versionedDataOf(alerts.GET('/api/v1/overview/{id}', { params: { ...params, query: { versioned: true } } })),
    write: ({ content }, _present, headers) =>
      dataOf(alerts.PUT('/api/v1/overview/{id}', { params, body: { content }, headers })),
  };
};

function createOverview({ analytic, detection, content }: OverviewValues): Promise<StoredOverview> {
  const body = { analytic, content, ...(detection === '' ? {} : { detection }) };
  return dataOf(alerts.POST('/api/v1/overview/', { body }));
}

/** Edits the text of an overview beside what it makes of one of the newest alerts. */
export function OverviewEditor({ overview, all, analytic: begun = '', onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: overviewsQuery.queryKey });
  const { form, question } = useSavedForm({
    draft: useDraftName('overview', overview?.overview_id),
    initial: overview === undefined ? { analytic: begun, detection: '', content: '' } : valuesOf(overview),
    validate: ({ analytic, content }) => ({
      analytic: analytic === '' ? t('common.required') : undefined,
      content: content.trim() === '' ? t('common.required') : undefined,
    }),
    object: overview && storedOverview(overview),
    create: createOverview,
    onSaved: async (saved) => {
      await refresh();
      showToast(t('saved.done', { name: nameOfLayout(saved) }));
      if (overview === undefined) onOpen(saved.overview_id);
    },
    names: { content: t('overviews.content') },
  });
  const { analytic, detection, content } = form.values;
  const found = useNewestAlerts(queryOfAnalytic(analytic, detection));
  const drawn = useLater(content);
  return (
    <EditorLayout
      onBack={() => onOpen(undefined)}
      preview={<OnSampleAlert found={found}>{(alert) => <Overview template={drawn} record={alert} />}</OnSampleAlert>}
    >
      <Form
        form={form}
        label={t(overview === undefined ? 'overviews.create' : 'common.edit')}
        submitLabel={t(overview === undefined ? 'common.create' : 'common.save')}
      >
        {overview === undefined ? (
          <AnalyticFields analytic={form.field('analytic')} detection={form.field('detection')} />
        ) : null}
        <TextArea
          label={t('overviews.content')}
          hint={t('overviews.contentHint')}
          rows={20}
          data
          {...form.field('content')}
        />
      </Form>
      {question}
      {overview === undefined ? null : (
        <div className={styles.line}>
          <DeleteButton
            name={nameOfLayout(overview)}
            refused={mayDelete(me, { owner: overview.owner ?? '' }) ? undefined : t('saved.notDeletable')}
            onDelete={async () => {
              await alerts.DELETE('/api/v1/overview/{id}', { params: { path: { id: overview.overview_id } } });
              onOpen(undefined);
              await refresh();
            }}
          >
            <Dependants query={queryOfLayout(overview, all)}>
              {(count) => t('overviews.deleteText', { count })}
            </Dependants>
          </DeleteButton>
        </div>
      )}
    </EditorLayout>
  );
}
