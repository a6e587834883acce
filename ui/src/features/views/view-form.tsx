import { alerts, dataOf } from '../../api/clients.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { RadioGroup } from '../../design/forms/choices/radio-group.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { Form, FormRow } from '../../design/forms/form.tsx';
import { changedMembers } from '../../design/forms/form-state.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import { type Form as FormState, useForm } from '../../design/forms/use-form.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useConfiguration } from '../../shell/session-context.tsx';
import { readSort, TIME_FIELD } from '../alerts/list/search/alert-search.ts';
import type { View } from '../alerts/list/search/view-search.ts';
import { ConflictNote } from '../saved/conflict-note.tsx';
import { useDraftName } from '../saved/draft-name.ts';
import type { useNewestAlerts } from '../saved/newest-alerts.ts';
import { QueryField } from '../saved/query-field.tsx';

interface ViewValues {
  readonly title: string;
  readonly query: string;
  readonly type: string;
  readonly sortField: string;
  readonly direction: 'asc' | 'desc';
  /** Empty: all times. */
  readonly span: string;
  readonly indexes: readonly string[];
  readonly advances: boolean;
}

/** Spans that views of the public interface have. */
const SPANS = ['1.day', '3.day', '1.week', '1.month', '3.month', '1.year'] as const;
const TYPES = ['personal', 'global'] as const;

/** Holds the values of a view, and creates or changes it. */
export function useViewForm(view: View | undefined, onSaved: (view: View) => Promise<void>): FormState<ViewValues> {
  const { t } = useTranslation();
  const { field, direction } = readSort(view?.sort);
  const initial: ViewValues = {
    title: view?.title ?? '',
    query: view?.query ?? '',
    type: view?.type ?? 'personal',
    sortField: field,
    direction,
    span: view?.span ?? '',
    indexes: view?.indexes ?? ['hit'],
    advances: view?.settings.advance_on_triage ?? false,
  };
  return useForm({
    initial,
    draft: useDraftName('view', view?.view_id),
    validate: ({ title, query }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      query: query.trim() === '' ? t('common.required') : undefined,
    }),
    submit: async (values, stored) => {
      if (view === undefined) return onSaved(await dataOf(alerts.POST('/api/v1/view/', { body: bodyOf(values) })));
      const params = { path: { view_id: view.view_id } };
      const body = changedMembers(bodyOf(values), bodyOf(stored));
      await onSaved(await dataOf(alerts.PUT('/api/v1/view/{view_id}', { params, body })));
    },
  });
}

const bodyOf = ({ title, query, type, sortField, direction, span, indexes, advances }: ViewValues) => ({
  title,
  query,
  type,
  sort: `${sortField} ${direction}`,
  span: span === '' ? null : span,
  indexes,
  settings: { advance_on_triage: advances },
});

interface Props {
  readonly form: FormState<ViewValues>;
  readonly found: ReturnType<typeof useNewestAlerts>;
  readonly isNew: boolean;
}

export function ViewForm({ form, found, isNew }: Props) {
  const { t } = useTranslation();
  const fields = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  const { span, indexes, sortField } = form.values;
  const spans = [...SPANS.map((one) => `date.range.${one}`), span].filter((one) => one !== '');
  const words = Object.fromEntries(SPANS.map((one) => [`date.range.${one}`, t(`views.spans.${one}`)]));
  return (
    <Form
      form={form}
      label={t(isNew ? 'views.create' : 'common.edit')}
      submitLabel={t(isNew ? 'common.create' : 'common.save')}
    >
      <TextField label={t('views.name')} required autoFocus={isNew} {...form.field('title')} />
      <QueryField label={t('saved.query')} found={found} {...form.field('query')} />
      <RadioGroup
        label={t('saved.type')}
        options={TYPES.map((value) => ({ value, label: t(`saved.types.${value}`) }))}
        {...form.field('type')}
      />
      <FormRow>
        <Combobox
          label={t('views.sort')}
          data
          options={fields.map(([value, { description }]) => ({ value, label: value, detail: description ?? '' }))}
          value={sortField}
          onChange={(next) => form.set({ sortField: next ?? TIME_FIELD })}
        />
        <Select
          label={t('views.direction')}
          options={[
            { value: 'desc', label: t('views.descending') },
            { value: 'asc', label: t('views.ascending') },
          ]}
          {...form.field('direction')}
        />
        <Select
          label={t('views.span')}
          options={[
            { value: '', label: t('views.allTimes') },
            ...[...new Set(spans)].map((value) => ({ value, label: words[value] ?? value })),
          ]}
          {...form.field('span')}
        />
      </FormRow>
      <Checkbox
        label={t('views.events')}
        name="indexes"
        value={indexes.includes('event')}
        onChange={(isOn) => form.set({ indexes: isOn ? ['hit', 'event'] : ['hit'] })}
      />
      <Checkbox label={t('views.advances')} {...form.field('advances')} />
      <ConflictNote problem={form.problem} />
    </Form>
  );
}
