import { useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../api/clients.ts';
import type { components } from '../../api/generated/alerts.ts';
import { Overview } from '../../design/data/records/overview.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { useLater } from '../../design/forms/use-later.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { queryOfAnalytic } from '../query/model/record-queries.ts';
import { AnalyticFields, nameOfLayout } from '../saved/analytic-fields.tsx';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { DeleteButton } from '../saved/delete-button.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import { EditorLayout } from '../saved/editor-layout.tsx';
import { useNewestAlerts } from '../saved/newest-alerts.ts';
import { mayDelete, useMe } from '../saved/ownership.ts';
import { OnSampleAlert } from '../saved/preview.tsx';
import styles from '../saved/saved.module.css';

type StoredOverview = components['schemas']['Overview'];

interface Props {
  /** Undefined: a new one. */
  readonly overview: StoredOverview | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

/** Edits the text of an overview beside what it makes of one of the newest alerts. */
export function OverviewEditor({ overview, onOpen }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const me = useMe();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['alerts', 'overview'] });
  const draft = useDraftName('overview', overview?.overview_id);
  const form = useForm({
    draft,
    initial: {
      analytic: overview?.analytic ?? '',
      detection: overview?.detection ?? '',
      content: overview?.content ?? '',
    },
    validate: ({ analytic, content }) => ({
      analytic: analytic === '' ? t('common.required') : undefined,
      content: content.trim() === '' ? t('common.required') : undefined,
    }),
    submit: async ({ analytic, detection, content }) => {
      const body = { analytic, content, ...(detection === '' ? {} : { detection }) };
      const made =
        overview === undefined
          ? await dataOf(alerts.POST('/api/v1/overview/', { body }))
          : await dataOf(
              alerts.PUT('/api/v1/overview/{id}', {
                params: { path: { id: overview.overview_id } },
                body: { content },
              }),
            );
      await refresh();
      showToast(t('saved.done', { name: nameOfLayout(made) }));
      if (overview === undefined) onOpen(made.overview_id);
    },
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
        <ConflictNote problem={form.problem} />
      </Form>
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
            {t('overviews.deleteText', { count: found.data?.total ?? 0 })}
          </DeleteButton>
        </div>
      )}
    </EditorLayout>
  );
}
