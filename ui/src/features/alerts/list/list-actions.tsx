import { Columns3, Download, MoreHorizontal, Save, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { useSmallScreen } from '../../../design/layout/use-small-screen.ts';
import { Dialog } from '../../../design/overlays/dialog.tsx';
import { Menu } from '../../../design/overlays/menu.tsx';
import { MenuItem, SubMenu } from '../../../design/overlays/menu-item.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useCommands } from '../../../keys/commands.tsx';
import { fieldsOf } from './columns/alert-columns.tsx';
import { ColumnItems } from './columns/column-items.tsx';
import { useExport } from './export/use-export.ts';
import type { ListSearch } from './use-list-search.ts';

// Their controls weigh as much as the list; most visits need none of them.
const FieldChoice = lateComponent(async () => (await import('./list-forms.tsx')).FieldChoice);
const SaveViewForm = lateComponent(async () => (await import('./list-forms.tsx')).SaveViewForm);

/** The commands for the whole list: columns, export, save as a view; one menu on small screens. */
export function ListActions({ list }: { list: ListSearch }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'column' | 'view' | undefined>(undefined);
  const { count, run, cancel } = useExport(list);
  const isSmall = useSmallScreen();
  const { columns, setColumns } = list;
  const close = () => setAsked(undefined);
  const columnItems = <ColumnItems list={list} onAdd={() => setAsked('column')} />;
  const exportItems = (
    <>
      <MenuItem onSelect={() => void run(fieldsOf(columns))}>{t('alerts.exportCsv')}</MenuItem>
      <MenuItem onSelect={() => void run(undefined)}>{t('alerts.exportNdjson')}</MenuItem>
    </>
  );
  const isExporting = count !== undefined;
  const cancelLabel = t('alerts.exportCancel', { count: count ?? 0 });
  const saveView = () => setAsked('view');
  const [areColumnsOpen, setColumnsOpen] = useState(false);
  useCommands([
    // The menu of a small screen has the columns inside of it.
    { id: 'columns', run: () => setColumnsOpen(true), isEnabled: !isSmall },
    { id: 'exportCsv', run: () => void run(fieldsOf(columns)), isEnabled: count === undefined },
    { id: 'exportNdjson', run: () => void run(undefined), isEnabled: count === undefined },
    { id: 'saveView', run: saveView },
  ]);
  return (
    <>
      {isSmall ? (
        <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label={t('common.more')} />}>
          <SubMenu label={t('alerts.columnsMenu')} icon={Columns3}>
            {columnItems}
          </SubMenu>
          {isExporting ? (
            <MenuItem icon={X} onSelect={cancel}>
              {cancelLabel}
            </MenuItem>
          ) : (
            <SubMenu label={t('alerts.export')} icon={Download}>
              {exportItems}
            </SubMenu>
          )}
          <MenuItem icon={Save} onSelect={saveView}>
            {t('alerts.saveView')}
          </MenuItem>
        </Menu>
      ) : (
        <>
          <Menu
            align="end"
            open={areColumnsOpen}
            onOpenChange={setColumnsOpen}
            trigger={
              <Button kind="quiet" icon={Columns3}>
                {t('alerts.columnsMenu')}
              </Button>
            }
          >
            {columnItems}
          </Menu>
          {isExporting ? (
            <Button kind="quiet" icon={X} onClick={cancel}>
              {cancelLabel}
            </Button>
          ) : (
            <Menu
              align="end"
              trigger={
                <Button kind="quiet" icon={Download}>
                  {t('alerts.export')}
                </Button>
              }
            >
              {exportItems}
            </Menu>
          )}
          <Button kind="quiet" icon={Save} onClick={saveView}>
            {t('alerts.saveView')}
          </Button>
        </>
      )}
      <Dialog open={asked === 'column'} onClose={close} title={t('alerts.addColumn')} size="small">
        <Suspense fallback={<Loading />}>
          <FieldChoice
            label={t('alerts.addColumn')}
            onChoose={(field) => {
              if (!columns.includes(field)) setColumns([...columns, field]);
              close();
            }}
          />
        </Suspense>
      </Dialog>
      <Dialog open={asked === 'view'} onClose={close} title={t('alerts.saveView')} size="small">
        <Suspense fallback={<Loading />}>
          <SaveViewForm list={list} onSaved={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
