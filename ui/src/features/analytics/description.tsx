import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/controls/button.tsx';
import { Markdown } from '../../design/data/records/markdown.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { useDraftName } from '../saved/draft-name.ts';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import styles from '../saved/saved.module.css';
import { storedAnalytic } from './analytic-queries.ts';
import { useAnalyticRefresh } from './use-analytic-changes.ts';

const valuesOf = ({ description = '' }: Analytic) => ({ description });

/** Draws what an analytic finds; while it is edited, the text stands above its preview. */
export function Description({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const refresh = useAnalyticRefresh();
  const stored = analytic.description ?? '';
  const { form, question } = useSavedForm({
    draft: useDraftName('analytic', analytic.analytic_id),
    initial: valuesOf(analytic),
    object: storedAnalytic(analytic, valuesOf, (changed) => changed),
    onSaved: async () => {
      await refresh();
      setEditing(false);
    },
    names: { description: t('analytics.description') },
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
        </Form>
      ) : (
        <div className={styles.line}>
          <h2 className={styles.heading}>{t('analytics.description')}</h2>
          <Button icon={Pencil} onClick={edit}>
            {t('analytics.editDescription')}
          </Button>
        </div>
      )}
      {question}
      {isEditing ? <h2 className={styles.heading}>{t('saved.preview.title')}</h2> : null}
      {!isEditing && stored === '' ? <EmptyState title={t('analytics.noDescription')} /> : null}
      <Markdown text={isEditing ? form.values.description : stored} />
    </section>
  );
}
