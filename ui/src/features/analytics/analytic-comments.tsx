import { useState } from 'react';
import { alerts } from '../../api/clients.ts';
import { Select } from '../../design/forms/choices/select.tsx';
import { Form } from '../../design/forms/form.tsx';
import { TextArea } from '../../design/forms/text-area.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { EmptyState } from '../../design/states/empty-state.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { MAX_COMMENT } from '../alerts/alert/tabs/comment-draft.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { useDraftName } from '../saved/draft-name.ts';
import styles from '../saved/saved.module.css';
import { AnalyticComment } from './analytic-comment.tsx';
import { DetectionFilter, useDetection } from './detection-filter.tsx';
import { useAnalyticChange } from './use-analytic-changes.ts';

/** Draws what people said about an analytic or one of its detections, and the field for more. */
export function AnalyticComments({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const [sent, setSent] = useState(0);
  const detection = useDetection();
  const shown = analytic.comment.filter((comment) => detection === undefined || comment.detection === detection);
  return (
    <div className={styles.narrow}>
      <DetectionFilter detections={analytic.detections} />
      {shown.length === 0 ? <EmptyState title={t('analytics.noComments')} /> : null}
      <ol className={styles.found}>
        {shown.map((comment) => (
          <AnalyticComment key={comment.id} id={analytic.analytic_id} comment={comment} />
        ))}
      </ol>
      <CommentForm key={sent} analytic={analytic} onSent={() => setSent(sent + 1)} />
    </div>
  );
}

function CommentForm({ analytic, onSent }: { readonly analytic: Analytic; readonly onSent: () => void }) {
  const { t } = useTranslation();
  const change = useAnalyticChange();
  const draft = useDraftName('analytic-comment', analytic.analytic_id);
  const form = useForm({
    draft,
    initial: { value: '', detection: '' },
    validate: ({ value }) => ({ value: value.trim() === '' ? t('common.required') : undefined }),
    submit: async ({ value, detection }) => {
      const body = { value, ...(detection === '' ? {} : { detection }) };
      const params = { path: { id: analytic.analytic_id } };
      await change(alerts.POST('/api/v1/analytic/{id}/comments', { params, body }));
      onSent();
    },
  });
  return (
    <Form form={form} label={t('analytics.comment')} submitLabel={t('analytics.submitComment')}>
      <TextArea label={t('analytics.comment')} maxLength={MAX_COMMENT} {...form.field('value')} />
      <Select
        label={t('analytics.about')}
        options={[
          { value: '', label: t('analytics.wholeAnalytic') },
          ...analytic.detections.map((value) => ({ value, label: value })),
        ]}
        {...form.field('detection')}
      />
    </Form>
  );
}
