import { useQuery } from '@tanstack/react-query';
import { analyticsQuery } from '../../../api/analytics-query.ts';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { FormRow } from '../../../design/forms/form.tsx';
import type { BoundField } from '../../../design/forms/use-form.ts';
import { useTranslation } from '../../../i18n/translation.ts';

interface Props {
  readonly analytic: BoundField<string>;
  readonly detection: BoundField<string>;
}

/** Draws the choice of an analytic, and of one of its detections. */
export function AnalyticFields({ analytic, detection }: Props) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(analyticsQuery);
  const chosen = data.find(({ name }) => name === analytic.value);
  const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: value }));
  return (
    <FormRow>
      <Combobox
        label={t('saved.analytic')}
        options={optionsOf(data.map(({ name }) => name))}
        allowNew
        {...analytic}
        value={analytic.value === '' ? undefined : analytic.value}
        onChange={(next) => analytic.onChange(next ?? '')}
      />
      <Combobox
        label={t('saved.detection')}
        hint={t('saved.detectionHint')}
        optional
        options={optionsOf(chosen?.detections ?? [])}
        allowNew
        {...detection}
        value={detection.value === '' ? undefined : detection.value}
        onChange={(next) => detection.onChange(next ?? '')}
      />
    </FormRow>
  );
}
