import { Columns3, Download, Save } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuCheck, MenuItem, MenuSeparator } from '../../../design/overlays/menu-item.tsx';
import { showToast } from '../../../design/overlays/toasts.ts';
import { Loading } from '../../../design/states/loading.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { fieldsOf } from './columns/alert-columns.tsx';
import { isSpecialColumn, SPECIAL_COLUMNS } from './columns/special-columns.ts';
import { useSaveColumns } from './columns/use-save-columns.ts';
import { exportAlerts, MAX_EXPORTED } from './export/export-alerts.ts';
import type { AlertList } from './use-alert-list.ts';

// Their controls weigh as much as the list; most visits need none of them.
const FieldChoice = lazy(async () => ({ default: (await import('./list-forms.tsx')).FieldChoice }));
const SaveViewForm = lazy(async () => ({ default: (await import('./list-forms.tsx')).SaveViewForm }));

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
  const { by } = list.parameters;
  const saveColumns = useSaveColumns(list);
  const offered = [...SPECIAL_COLUMNS, ...columns.filter((id) => !isSpecialColumn(id))];
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
        {saveColumns === undefined ? null : (
          <MenuItem onSelect={saveColumns}>{t('alerts.saveColumns', { title: list.view?.title ?? '' })}</MenuItem>
        )}
        <MenuSeparator />
        <MenuCheck checked={by !== 'status'} onChange={() => list.split('severity')}>
          {`${t('alerts.splitBy')}: ${t('alerts.bySeverity')}`}
        </MenuCheck>
        <MenuCheck checked={by === 'status'} onChange={() => list.split('status')}>
          {`${t('alerts.splitBy')}: ${t('alerts.byStatus')}`}
        </MenuCheck>
      </Menu>
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('alerts.addColumn')} size="small">
        <Suspense fallback={<Loading />}>
          <FieldChoice
            label={t('alerts.addColumn')}
            onChoose={(field) => {
              if (!columns.includes(field)) setColumns([...columns, field]);
              setAdding(false);
            }}
          />
        </Suspense>
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
        <Suspense fallback={<Loading />}>
          <SaveViewForm list={list} onSaved={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}
