import { Combobox } from '../../design/forms/choices/combobox.tsx';
import type { Option } from '../../design/forms/choices/options.ts';
import { Select } from '../../design/forms/choices/select.tsx';
import { Form, FormRow } from '../../design/forms/form.tsx';
import { useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { analyticCard, CHARTS, type Chart, type StoredCard, viewCard } from './dashboard.ts';
import { useChartName } from './use-chart-name.ts';

interface Props {
  readonly views: readonly Option[];
  readonly analytics: readonly Option[];
  readonly onAdd: (card: StoredCard) => Promise<void>;
}

interface Values {
  readonly kind: 'view' | 'analytic';
  readonly view: string | undefined;
  readonly analytic: string | undefined;
  readonly chart: Chart;
}

const NOTHING: Values = { kind: 'view', view: undefined, analytic: undefined, chart: 'created' };

/** Asks for the view or the analytic of a new card. */
export function CardForm({ views, analytics, onAdd }: Props) {
  const { t } = useTranslation();
  const chartName = useChartName();
  const form = useForm<Values>({
    initial: NOTHING,
    validate: ({ kind, view, analytic }) => ({
      view: kind === 'view' && view === undefined ? t('common.required') : undefined,
      analytic: kind === 'analytic' && analytic === undefined ? t('common.required') : undefined,
    }),
    submit: async ({ kind, view = '', analytic = '', chart }) => {
      await onAdd(kind === 'view' ? viewCard(view) : analyticCard(analytic, chart));
      form.reset({ ...NOTHING, kind, chart });
    },
  });
  const { kind } = form.values;
  return (
    <Form form={form} label={t('home.cards.add')} submitLabel={t('home.cards.add')} allowUnchanged>
      <Select
        label={t('home.cards.kind')}
        options={(['view', 'analytic'] as const).map((value) => ({ value, label: t(`home.cards.kinds.${value}`) }))}
        {...form.field('kind')}
      />
      {kind === 'view' ? (
        <Combobox label={t('home.cards.kinds.view')} options={views} {...form.field('view')} />
      ) : (
        <FormRow>
          <Combobox label={t('home.cards.kinds.analytic')} options={analytics} {...form.field('analytic')} />
          <Select
            label={t('home.cards.shows')}
            options={CHARTS.map((value) => ({ value, label: chartName(value) }))}
            {...form.field('chart')}
          />
        </FormRow>
      )}
    </Form>
  );
}
