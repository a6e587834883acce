import { useState } from 'react';
import { preferences, usePreferences } from '../../../../shell/preferences.ts';
import type { View } from '../search/view-search.ts';
import { SPECIAL_COLUMNS } from './special-columns.ts';
import { columnsOfView, type ListColumns } from './view-columns.ts';

/** The state of the list that stays with the account. */
interface ListPreferences extends Partial<ListColumns> {
  /** Fields in the panel of values, after the usual ones. */
  readonly facets?: readonly string[];
}

const NO_FACETS: readonly string[] = [];
const PAGE = 'alerts';

/**
 * Holds the columns of the list, which stay with the account, and the fields of its panel of values.
 * Changed columns of a view stay with this window until they are saved with it.
 */
export function useListColumns(view: View | undefined) {
  const { pages } = usePreferences();
  const ofView = columnsOfView(view);
  const [changed, setChanged] = useState<(ListColumns & { readonly view: string | undefined }) | undefined>(undefined);
  const ofAccount = (pages?.[PAGE] ?? {}) as ListPreferences;
  const { facets = NO_FACETS } = ofAccount;
  const id = view?.view_id;
  const shown: Partial<ListColumns> =
    ofView === undefined ? ofAccount : changed?.view === id ? (changed ?? ofView) : ofView;
  const { columns = SPECIAL_COLUMNS, widths = {} } = shown;
  const keep = (next: ListColumns) => {
    if (ofView === undefined) preferences.setPage(PAGE, { ...ofAccount, ...next });
    else setChanged({ ...next, view: id });
  };
  return {
    columns,
    widths,
    facets,
    setColumns: (next: readonly string[]) => keep({ columns: next, widths }),
    setWidth: (column: string, width: number) => keep({ columns, widths: { ...widths, [column]: width } }),
    setFacets: (next: readonly string[]) => preferences.setPage(PAGE, { ...ofAccount, facets: next }),
  };
}
