import { Columns3, Copy, CopyX, Filter, FilterX, ScanSearch, Search } from 'lucide-react';
import { escapedTerm, quotedPhrase } from '../../../../../../src/datastore/query-language/written-values.ts';
import { defang } from '../../../../design/data/text/defang.ts';
import { copyText } from '../../../../design/data/values/copy.ts';
import { MenuItem, MenuSeparator } from '../../../../design/overlays/menu-item.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { useKeys } from '../../../../keys/commands.tsx';
import type { FieldValue } from './field-values.ts';
import { useValueActions } from './value-actions.tsx';

/** Draws what can be done with a value, inside a Menu or a ContextMenu. */
export function ValueMenuItems({ of: { field, value } }: { readonly of: FieldValue }) {
  const { t } = useTranslation();
  const { onFilter, onPinColumn, onSearch, lookUp } = useValueActions();
  const lookUpKeys = useKeys('lookUp');
  const defanged = defang(value);
  return (
    <>
      <MenuItem icon={Copy} onSelect={() => void copyText(value)}>
        {t('alert.values.copy')}
      </MenuItem>
      {defanged === value ? null : (
        <MenuItem icon={CopyX} onSelect={() => void copyText(defanged)}>
          {t('alert.values.copyDefanged')}
        </MenuItem>
      )}
      <MenuItem icon={ScanSearch} keys={lookUpKeys} onSelect={() => lookUp({ field, value })}>
        {t('alert.values.lookUp')}
      </MenuItem>
      {field === '' ? null : <MenuSeparator />}
      {field !== '' && onFilter && (
        <>
          <MenuItem icon={Filter} onSelect={() => onFilter(field, value, 'include')}>
            {t('alert.values.include')}
          </MenuItem>
          <MenuItem icon={FilterX} onSelect={() => onFilter(field, value, 'exclude')}>
            {t('alert.values.exclude')}
          </MenuItem>
        </>
      )}
      {field !== '' && onPinColumn && (
        <MenuItem icon={Columns3} onSelect={() => onPinColumn(field)}>
          {t('alert.values.pin')}
        </MenuItem>
      )}
      {onSearch && (
        <MenuItem
          icon={Search}
          onSelect={() => onSearch(field === '' ? quotedPhrase(value) : `${escapedTerm(field)}:${quotedPhrase(value)}`)}
        >
          {t('alert.values.search')}
        </MenuItem>
      )}
    </>
  );
}
