import { alerts, dataOf, versionedDataOf } from '../../api/clients.ts';
import { Checkbox } from '../../design/forms/choices/checkbox.tsx';
import { Combobox } from '../../design/forms/choices/combobox.tsx';
import { Select } from '../../design/forms/choices/select.tsx';
import { Form, FormRow } from '../../design/forms/form.tsx';
import { changedMembers } from '../../design/forms/form-state.ts';
import { TextField } from '../../design/forms/text-field.tsx';
import type { Form as FormState } from '../../design/forms/use-form.ts';
import { type Translate, useTranslation } from '../../i18n/translation.ts';
import { useConfiguration } from '../../shell/session-context.tsx';
import { readSort, TIME_FIELD } from '../alerts/list/search/alert-search.ts';
import type { View } from '../alerts/list/search/view-search.ts';
import { useDraftName } from '../saved/draft-name.ts';
import { type SavedForm, useSavedForm } from '../saved/form/use-saved-form.tsx';
import type { SavedObject } from '../saved/form/write-members.ts';
import type { useNewestAlerts } from '../saved/newest-alerts.ts';
import { QueryField } from '../saved/query-field.tsx';
import { TypeField, typeName } from '../saved/type-field.tsx';

interface ViewValues {
  readonly title: string;
  readonly query: string;
  readonly type: 'personal' | 'global' | 'readonly';
  readonly sortField: string;
  readonly direction: 'asc' | 'desc';
  /** Empty: all times. */
  readonly span: string;
  readonly indexes: readonly string[];
  readonly advances: boolean;
}

/** Spans that views of the public interface have. */
const SPANS = ['1.day', '3.day', '1.week', '1.month', '3.month', '1.year'] as const;

function valuesOf(view: View): ViewValues {
  const { field, direction } = readSort(view.sort);
  return {
    title: view.title,
    query: view.query,
    type: view.type,
    sortField: field,
    direction,
    span: view.span ?? '',
    indexes: view.indexes,
    advances: view.settings.advance_on_triage,
  };
}

const NEW_VIEW: ViewValues = {
  ...{ title: '', query: '', type: 'personal', span: '', indexes: ['hit'], advances: false },
  ...{ sortField: TIME_FIELD, direction: 'desc' },
};

const bodyOf = ({ title, query, type, sortField, direction, span, indexes, advances }: ViewValues) => ({
  title,
  query,
  type,
  sort: `${sortField} ${direction}`,
  span: span === '' ? null : span,
  indexes,
  settings: { advance_on_triage: advances },
});

const storedView = ({ view_id }: View): SavedObject<View, ViewValues> => {
  const params = { path: { view_id } };
  return {
    valuesOf,
    read: () =>
      versionedDataOf(alerts.GET('/api/v1/view/{view_id}', { params: { ...params, query: { versioned: true } } })),
    write: (wanted, present, headers) => {
      const body = changedMembers(bodyOf(wanted), bodyOf(present));
      return dataOf(alerts.PUT('/api/v1/view/{view_id}', { params, body, headers }));
    },
  };
};

/** Holds the values of a view, and creates or changes it. */
export function useViewForm(view: View | undefined, onSaved: (view: View) => Promise<void>): SavedForm<ViewValues> {
  const { t } = useTranslation();
  return useSavedForm({
    draft: useDraftName('view', view?.view_id),
    initial: view === undefined ? NEW_VIEW : valuesOf(view),
    validate: ({ title, query }) => ({
      title: title.trim() === '' ? t('common.required') : undefined,
      query: query.trim() === '' ? t('common.required') : undefined,
    }),
    object: view && storedView(view),
    create: (values) => dataOf(alerts.POST('/api/v1/view/', { body: bodyOf(values) })),
    onSaved,
    names: {
      ...{ title: t('views.name'), query: t('saved.query'), type: t('saved.type'), span: t('views.span') },
      ...{ sortField: t('views.sort'), direction: t('views.direction'), advances: t('views.advances') },
      indexes: t('views.searched'),
    },
    wordsOf: (member, value) => {
      if (member === 'type') return typeName(t, value);
      if (member === 'direction') return t(value === 'asc' ? 'views.ascending' : 'views.descending');
      return member === 'span' ? spanName(t, String(value)) : value;
    },
  });
}

/** Returns a time span in words; one of another client as it is. */
function spanName(t: Translate, span: string): string {
  const known = SPANS.find((one) => span === `date.range.${one}`);
  if (known !== undefined) return t(`views.spans.${known}`);
  return span === '' ? t('views.allTimes') : span;
}

/** Returns the kinds of records after one was added or taken away; a view searches at least alerts. */
function withIndex(indexes: readonly string[], index: string, isOn: boolean): readonly string[] {
  const others = indexes.filter((one) => one !== index);
  if (isOn) return [...others, index];
  return others.length === 0 ? ['hit'] : others;
}

interface Props {
  readonly form: FormState<ViewValues>;
  readonly found: ReturnType<typeof useNewestAlerts>;
  readonly isNew: boolean;
}

export function ViewForm({ form, found, isNew }: Props) {
  const { t } = useTranslation();
  const fields = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  const { type, span, indexes, sortField } = form.values;
  const spans = ['', ...SPANS.map((one) => `date.range.${one}`), span];
  return (
    <Form
      form={form}
      label={t(isNew ? 'views.create' : 'common.edit')}
      submitLabel={t(isNew ? 'common.create' : 'common.save')}
    >
      <TextField label={t('views.name')} required autoFocus={isNew} {...form.field('title')} />
      <QueryField label={t('saved.query')} found={found} {...form.field('query')} />
      <TypeField
        {...form.field('type')}
        // Built-in views have no form.
        value={type === 'readonly' ? 'personal' : type}
        onChange={(next) => form.set({ type: next })}
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
          options={[...new Set(spans)].map((value) => ({ value, label: spanName(t, value) }))}
          {...form.field('span')}
        />
      </FormRow>
      <Checkbox
        label={t('views.events')}
        name="indexes"
        value={indexes.includes('event')}
        onChange={(isOn) => form.set({ indexes: withIndex(indexes, 'event', isOn) })}
      />
      <Checkbox label={t('views.advances')} {...form.field('advances')} />
    </Form>
  );
}
