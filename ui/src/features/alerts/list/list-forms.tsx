import { useMutation, useQueryClient } from '@tanstack/react-query';
import { alerts, dataOf } from '../../../api/clients.ts';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { RadioGroup } from '../../../design/forms/choices/radio-group.tsx';
import { Form } from '../../../design/forms/form.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { showToast } from '../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import { type FieldInfo, useConfiguration } from '../../../shell/session-context.tsx';
import { combinedQuery } from '../../query/model/query-request.ts';
import { viewsQuery } from '../../query/sources/saved-views.ts';
import { gridColumns } from './columns/view-columns.ts';
import { TIME_FIELD, writeSort } from './search/alert-search.ts';
import type { ListSearch } from './use-list-search.ts';

interface FieldChoiceProps {
  readonly label: string;
  readonly onChoose: (field: string) => void;
  /** Returns whether a field is offered. Default: all are. */
  readonly isOffered?: (field: string, info: FieldInfo) => boolean;
}

/** Chooses one of the fields of alerts. */
export function FieldChoice({ label, onChoose, isOffered = () => true }: FieldChoiceProps) {
  const all = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  const fields = all.filter(([field, info]) => isOffered(field, info));
  const options = fields.map(([value, { description }]) => ({ value, label: value, detail: description ?? '' }));
  return (
    <Combobox
      label={label}
      labelHidden
      options={options}
      value={undefined}
      onChange={(field) => field !== undefined && onChoose(field)}
    />
  );
}

/** Saves the search of the list as a view. */
export function SaveViewForm({ list, onSaved }: { list: ListSearch; onSaved: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ title, type }: { title: string; type: string }) => {
      const query = combinedQuery(list.state, TIME_FIELD, { ...list.context, now: new Date() });
      return dataOf(
        alerts.POST('/api/v1/view/', {
          body: {
            title,
            type,
            query,
            sort: writeSort(list.sort),
            indexes: list.indexes.split(','),
            settings: { columns: gridColumns(list) },
          },
        }),
      );
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  });
  const form = useForm({
    initial: { title: '', type: 'personal' },
    submit: async (values) => {
      await save.mutateAsync(values);
      showToast(t('alerts.viewSaved', { title: values.title }));
      onSaved();
    },
  });
  const types = [
    { value: 'personal', label: t('alerts.viewPersonal') },
    { value: 'global', label: t('alerts.viewGlobal') },
  ];
  return (
    <Form form={form} label={t('alerts.saveView')} submitLabel={t('common.save')}>
      <TextField label={t('alerts.viewTitle')} {...form.field('title')} required autoFocus />
      <RadioGroup label={t('alerts.viewType')} options={types} {...form.field('type')} />
    </Form>
  );
}
