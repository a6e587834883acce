import { alerts } from '../../api/clients.ts';
import { assessmentAppearance } from '../../design/data/marks/severity.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { MultiCombobox } from '../../design/forms/choices/multi-combobox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { ASSESSMENTS } from '../alerts/triage/changes/assessments.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import styles from '../saved/saved.module.css';
import { useAnalyticChange } from './use-analytic-change.ts';

/** Sets which assessments the alerts of an analytic may get, and which reasons are offered. */
export function TriageForm({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const change = useAnalyticChange();
  const { valid_assessments, rationales, skip_rationale } = analytic.triage_settings;
  const draft = useDraftName('triage', analytic.analytic_id);
  const form = useForm({
    draft,
    initial: {
      valid_assessments: valid_assessments as readonly string[],
      rationales: rationales as readonly string[],
      skip_rationale,
    },
    submit: async (values) => {
      const params = { path: { id: analytic.analytic_id } };
      const body: Readonly<Record<string, unknown>> = { triage_settings: values };
      await change(alerts.PUT('/api/v1/analytic/{id}', { params, body }));
      showToast(t('saved.done', { name: analytic.name }));
    },
  });
  return (
    <div className={styles.narrow}>
      <Form form={form} label={t('analytics.sections.triage')} submitLabel={t('common.save')}>
        <MultiCombobox
          label={t('analytics.validAssessments')}
          hint={t('analytics.validAssessmentsHint')}
          options={ASSESSMENTS.map((value) => {
            const appearance = assessmentAppearance(value);
            return { value, label: appearance ? t(`data.${appearance.message}`) : value };
          })}
          {...form.field('valid_assessments')}
        />
        <MultiCombobox
          label={t('analytics.rationales')}
          hint={t('analytics.rationalesHint')}
          options={form.values.rationales.map((value) => ({ value, label: value }))}
          allowNew
          {...form.field('rationales')}
        />
        <Checkbox label={t('analytics.skipRationale')} {...form.field('skip_rationale')} />
        <ConflictNote problem={form.problem} />
      </Form>
    </div>
  );
}
