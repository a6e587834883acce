import { useQuery } from '@tanstack/react-query';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { FormRow } from '../../design/forms/form.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { analyticsQuery } from '../analytics/analytic-queries.ts';

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

/** Returns the name of an object that is for an analytic, or one of its detections. */
export function nameOfLayout({ analytic, detection }: { analytic: string; detection?: string }): string {
  return detection === undefined || detection === '' ? analytic : `${analytic} · ${detection}`;
}
