import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { alerts } from '../../api/clients.ts';
import { Button } from '../../design/controls/button.tsx';
import { Markdown } from '../../design/data/records/markdown.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import styles from '../saved/saved.module.css';
import { useAnalyticChange } from './use-analytic-change.ts';

/** Draws what an analytic finds; while it is edited, the text stands above its preview. */
export function Description({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const change = useAnalyticChange();
  const stored = analytic.description ?? '';
  const draft = useDraftName('analytic', analytic.analytic_id);
  const form = useForm({
    draft,
    initial: { description: stored },
    submit: async (body) => {
      await change(alerts.PUT('/api/v1/analytic/{id}', { params: { path: { id: analytic.analytic_id } }, body }));
      setEditing(false);
    },
  });
  const [isEditing, setEditing] = useState(form.isRestored);
  const edit = () => {
    form.reset({ description: stored });
    setEditing(true);
  };
  return (
    <section className={styles.part} aria-label={t('analytics.description')}>
      {isEditing ? (
        <Form
          form={form}
          label={t('analytics.description')}
          submitLabel={t('common.save')}
          onCancel={() => {
            form.reset();
            setEditing(false);
          }}
        >
          <TextArea label={t('analytics.description')} rows={12} autoFocus data {...form.field('description')} />
          <ConflictNote problem={form.problem} />
        </Form>
      ) : (
        <div className={styles.line}>
          <h2 className={styles.heading}>{t('analytics.description')}</h2>
          <Button icon={Pencil} onClick={edit}>
            {t('analytics.editDescription')}
          </Button>
        </div>
      )}
      {isEditing ? <h2 className={styles.heading}>{t('saved.preview.title')}</h2> : null}
      {!isEditing && stored === '' ? <EmptyState title={t('analytics.noDescription')} /> : null}
      <Markdown text={isEditing ? form.values.description : stored} />
    </section>
  );
}
