import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { messageOf } from '../../../api/problem.ts';
import {
  ALL_SELECTED,
  extended,
  isSelected,
  NOTHING_SELECTED,
  type Selection,
  selectedCount,
  toggled,
} from '../../../design/data/table/selection.ts';
import { showToast } from '../../../design/overlays/toasts.ts';
import { useTranslation } from '../../../i18n/translation.ts';
import { isEvent, readRows } from './results/alert-source.ts';
import type { AlertResults } from './results/use-alert-results.ts';

/** Alerts that a range selects one by one. */
const MAX_RANGE = 10_000;

/**
 * Returns which alerts of the list are selected, and what changes that.
 * Events, which have no triage, are never among them.
 * @param activeIndex the row at which a range begins when nothing was selected before
 */
export function useListSelection(
  results: AlertResults | undefined,
  activeIndex: number | undefined,
  [selection, setSelection]: readonly [Selection, Dispatch<SetStateAction<Selection>>],
) {
  const { t } = useTranslation();
  const latest = useRef(results);
  useEffect(() => {
    latest.current = results;
  });

  const selectRange = async (index: number) => {
    if (results === undefined) return;
    const anchor = selection.anchor ?? activeIndex ?? index;
    const [first, last] = [Math.min(anchor, index), Math.max(anchor, index)];
    if (last - first >= MAX_RANGE) {
      showToast(t('alerts.rangeTooLong', { count: MAX_RANGE }), { kind: 'problem' });
      return;
    }
    try {
      const ids = await results.idsBetween(first, last);
      const alerts = await alertsAmong(results, ids);
      // Meanwhile another search may have taken the place of the rows.
      if (latest.current?.search !== results.search) return;
      if (ids.length <= last - first)
        showToast(t('alerts.rangeIncomplete', { count: ids.length }), { kind: 'problem' });
      const idAt = (place: number) => alerts[place - first];
      setSelection((before) => extended({ ...before, anchor }, index, anchor, idAt));
    } catch (error) {
      showToast(messageOf(error), { kind: 'problem' });
    }
  };

  return {
    selection,
    selected: selectedCount(selection, results?.total ?? 0),
    isSelected: (id: string) => isSelected(selection, id),
    select(index: number, how: 'toggle' | 'range') {
      const row = results?.rowAt(index);
      if (how === 'range') void selectRange(index);
      else if (row !== undefined && !isEvent(row)) setSelection((before) => toggled(before, row.howler.id, index));
    },
    selectAll: () => setSelection((before) => (before.all ? NOTHING_SELECTED : ALL_SELECTED)),
    clearSelection: () => setSelection(NOTHING_SELECTED),
  };
}

/** Returns the rows without events, of which a list with both knows the identifiers alone. */
async function alertsAmong({ search }: AlertResults, ids: readonly string[]): Promise<readonly string[]> {
  if (search.indexes === 'hit') return ids;
  const found = await readRows({ ...search, indexes: 'hit' }, ids, new AbortController().signal);
  return found.map(({ howler }) => howler.id);
}
