import { useTranslation } from '../../i18n/translation.ts';
import type { Chart } from './dashboard.ts';

/** Returns what people read as the name of a chart. */
export function useChartName(): (chart: Chart) => string {
  const { t } = useTranslation();
  return (chart) => (chart === 'created' ? t('alerts.histogram') : t(`alerts.facetFields.${chart}`));
}
