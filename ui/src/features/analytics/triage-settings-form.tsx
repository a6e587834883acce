import { assessmentAppearance } from '../../design/data/marks/severity.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { MultiCombobox } from '../../design/forms/choices/multi-combobox.tsx';
import { Form } from '../../design/forms/form.tsx';
import { showToast } from '../../design/overlays/toasts.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { ASSESSMENTS } from '../alerts/triage/changes/assessments.ts';
import type { Analytic } from '../alerts/triage/use-analytic.ts';
import { useDraftName } from '../saved/draft-name.ts';
import { useSavedForm } from '../saved/form/use-saved-form.tsx';
import styles from '../saved/saved.module.css';
import { storedAnalytic } from './analytic-queries.ts';
import { useAnalyticRefresh } from './use-analytic-changes.ts';

interface TriageValues {
  readonly valid_assessments: readonly string[];
  readonly rationales: readonly string[];
  readonly skip_rationale: boolean;
}

const valuesOf = ({ triage_settings: settings }: Analytic): TriageValues => ({
  valid_assessments: settings.valid_assessments,
  rationales: settings.rationales,
  skip_rationale: settings.skip_rationale,
});

/** Sets which assessments the alerts of an analytic may get, and which reasons are offered. */
export function TriageSettingsForm({ analytic }: { readonly analytic: Analytic }) {
  const { t } = useTranslation();
  const refresh = useAnalyticRefresh();
  const assessmentName = (value: string) => {
    const appearance = assessmentAppearance(value);
    return appearance ? t(`data.${appearance.message}`) : value;
  };
  const { form, question } = useSavedForm({
    draft: useDraftName('triage', analytic.analytic_id),
    initial: valuesOf(analytic),
    object: storedAnalytic(analytic, valuesOf, (triage_settings) => ({ triage_settings })),
    onSaved: async () => {
      await refresh();
      showToast(t('saved.done', { name: analytic.name }));
    },
    names: {
      valid_assessments: t('analytics.validAssessments'),
      rationales: t('analytics.rationales'),
      skip_rationale: t('analytics.skipRationale'),
    },
    wordsOf: (member, value) =>
      member === 'valid_assessments' && Array.isArray(value) ? value.map(String).map(assessmentName) : value,
  });
  return (
    <div className={styles.narrow}>
      <Form form={form} label={t('analytics.tabs.triage')} submitLabel={t('common.save')}>
        <MultiCombobox
          label={t('analytics.validAssessments')}
          hint={t('analytics.validAssessmentsHint')}
          options={ASSESSMENTS.map((value) => ({ value, label: assessmentName(value) }))}
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
      </Form>
      {question}
    </div>
  );
}
