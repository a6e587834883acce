import { MenuCheck, MenuItem, MenuSeparator } from '../../../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { ListSearch } from '../use-list-search.ts';
import { isSpecialColumn, SPECIAL_COLUMNS } from './special-columns.ts';
import { useSaveColumns } from './use-save-columns.ts';

interface Props {
  readonly list: ListSearch;
  /** Asks for a field that becomes a column. */
  readonly onAdd: () => void;
}

/** Draws the items of a menu that chooses the columns. */
export function ColumnItems({ list, onAdd }: Props) {
  const { t } = useTranslation();
  const { columns, setColumns } = list;
  const saveColumns = useSaveColumns(list);
  const offered = [...SPECIAL_COLUMNS, ...columns.filter((id) => !isSpecialColumn(id))];
  const toggle = (id: string, isShown: boolean) => {
    if (isShown) setColumns(offered.filter((one) => one === id || columns.includes(one)));
    else setColumns(columns.filter((one) => one !== id));
  };
  return (
    <>
      {offered.map((id) => (
        <MenuCheck key={id} checked={columns.includes(id)} onChange={(isShown) => toggle(id, isShown)}>
          {isSpecialColumn(id) ? t(`alerts.columns.${id}`) : id}
        </MenuCheck>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={onAdd}>{t('alerts.addColumn')}</MenuItem>
      <MenuItem onSelect={() => setColumns(SPECIAL_COLUMNS)}>{t('alerts.resetColumns')}</MenuItem>
      {saveColumns === undefined ? null : (
        <MenuItem onSelect={saveColumns}>{t('alerts.saveColumns', { title: list.view?.title ?? '' })}</MenuItem>
      )}
    </>
  );
}
