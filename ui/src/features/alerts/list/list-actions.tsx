import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Columns3, Download, Save } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alerts, dataOf } from '../../../api/clients.ts';
import { Button } from '../../../design/controls/button.tsx';
import { Combobox } from '../../../design/forms/combobox.tsx';
import { Form } from '../../../design/forms/form.tsx';
import { RadioGroup } from '../../../design/forms/radio-group.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useForm } from '../../../design/forms/use-form.ts';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuCheck, MenuItem, MenuSeparator } from '../../../design/overlays/menu-item.tsx';
import { showToast } from '../../../design/overlays/toasts.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import { combinedQuery } from '../../query/model/query-request.ts';
import { fieldsOf, isSpecialColumn, SPECIAL_COLUMNS } from './alert-columns.tsx';
import { TIME_FIELD, writeSort } from './alert-search.ts';
import { viewsQuery } from './completion-sources.ts';
import { exportAlerts, MAX_EXPORTED } from './export-alerts.ts';
import type { AlertList } from './use-alert-list.ts';

/** The commands for the whole list: columns, export, save as a view. */
export function ListActions({ list }: { list: AlertList }) {
  return (
    <>
      <ColumnsMenu list={list} />
      <ExportMenu list={list} />
      <SaveView list={list} />
    </>
  );
}

function ColumnsMenu({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const { columns, setColumns } = list;
  const offered = [...SPECIAL_COLUMNS, ...columns.filter((id) => !isSpecialColumn(id))];
  const fields = Object.entries(useConfiguration().data?.indexes.hit ?? {});
  const options = fields.map(([value, { description }]) => ({ value, label: value, detail: description ?? '' }));
  const toggle = (id: string, isShown: boolean) => {
    if (isShown) setColumns(offered.filter((one) => one === id || columns.includes(one)));
    else setColumns(columns.filter((one) => one !== id));
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="quiet" icon={Columns3}>
            {t('alerts.columnsMenu')}
          </Button>
        }
      >
        {offered.map((id) => (
          <MenuCheck key={id} checked={columns.includes(id)} onChange={(isShown) => toggle(id, isShown)}>
            {isSpecialColumn(id) ? t(`alerts.columns.${id}`) : id}
          </MenuCheck>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setAdding(true)}>{t('alerts.addColumn')}</MenuItem>
        <MenuItem onSelect={() => setColumns(SPECIAL_COLUMNS)}>{t('alerts.resetColumns')}</MenuItem>
      </Menu>
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('alerts.addColumn')} size="small">
        <Combobox
          label={t('alerts.addColumn')}
          labelHidden
          options={options}
          value={undefined}
          onChange={(field) => {
            if (field !== undefined && !columns.includes(field)) setColumns([...columns, field]);
            setAdding(false);
          }}
        />
      </Dialog>
    </>
  );
}

function ExportMenu({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const [count, setCount] = useState<number | undefined>(undefined);
  const run = async (fields: readonly string[] | undefined) => {
    setCount(0);
    try {
      const { request, sort } = list;
      const exported = await exportAlerts(
        { request, sort, fields, onProgress: setCount },
        new AbortController().signal,
      );
      const isCut = exported >= MAX_EXPORTED;
      showToast(t(isCut ? 'alerts.exportTooMany' : 'alerts.exported', { count: exported }));
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), { kind: 'problem' });
    } finally {
      setCount(undefined);
    }
  };
  const trigger = (
    <Button kind="quiet" icon={Download} busy={count !== undefined}>
      {count === undefined ? t('alerts.export') : String(count)}
    </Button>
  );
  return (
    <Menu align="end" trigger={trigger}>
      <MenuItem onSelect={() => void run(fieldsOf(list.columns))}>{t('alerts.exportCsv')}</MenuItem>
      <MenuItem onSelect={() => void run(undefined)}>{t('alerts.exportNdjson')}</MenuItem>
    </Menu>
  );
}

function SaveView({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon={Save} onClick={() => setOpen(true)}>
        {t('alerts.saveView')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('alerts.saveView')} size="small">
        <SaveViewForm list={list} onSaved={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SaveViewForm({ list, onSaved }: { list: AlertList; onSaved: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ title, type }: { title: string; type: string }) => {
      const query = combinedQuery(list.state, TIME_FIELD, { now: new Date(), lastVisit: list.lastVisit });
      const sort = writeSort(list.sort);
      return dataOf(
        alerts.POST('/api/v1/view/', { body: { title, type, query, ...(sort === undefined ? {} : { sort }) } }),
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
