import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  ALL_SELECTED,
  extended,
  isSelected,
  NOTHING_SELECTED,
  type Selection,
  selectedCount,
  toggled,
} from '../../../design/data/logic/selection.ts';
import { preferences, usePreferences } from '../../../shell/preferences.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import type { QueryState } from '../../query/model/query-request.ts';
import { fieldsOf, SPECIAL_COLUMNS } from './alert-columns.tsx';
import {
  type AlertListParameters,
  parametersOf,
  queryStateOf,
  readSort,
  requestOf,
  type SortOrder,
  writeSort,
} from './alert-search.ts';
import { viewsQuery } from './completion-sources.ts';
import { useAlertResults } from './use-alert-results.ts';
import { useLiveChanges } from './use-live-changes.ts';
import { parametersOfView, type View } from './view-search.ts';

/** The state of the list that stays with the account. */
interface ListPreferences {
  readonly columns?: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
}

const PAGE = 'alerts';

/**
 * Holds the list of alerts together: the search in the address, the rows, what is selected, the active
 * row. Everything that a link should keep is in the address; columns stay with the account.
 */
export function useAlertList() {
  const own = useSearch({ from: '/alerts' });
  const view = useView(own.view);
  const parameters = view === undefined ? own : parametersOfView(view, own);
  const navigate = useNavigate({ from: '/alerts' });
  const { pages, lastVisit } = usePreferences();
  const { columns = SPECIAL_COLUMNS, widths = {} } = (pages?.[PAGE] ?? {}) as ListPreferences;
  const [generation, setGeneration] = useState(0);
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const [activeIndex, setActiveIndex] = useState<number | undefined>(undefined);
  // The times of a range are fixed while a search is read: its pages belong together.
  const [openedAt, setOpenedAt] = useState(() => new Date());
  const [visitBefore] = useState(lastVisit);

  const state = queryStateOf(parameters);
  const sort = readSort(parameters.sort);
  const fields = useConfiguration().data?.indexes.hit;
  const request = requestOf(state, { now: openedAt, lastVisit: visitBefore });
  const isSortedByDate = fields?.[sort.field]?.type === 'date';
  const search = { request, sort, fields: fieldsOf(columns), isSortedByDate };
  const results = useAlertResults(search, generation);
  const changes = useLiveChanges(results);

  const latest = useRef(results);
  latest.current = results;
  const idAt = (index: number) => latest.current?.rowAt(index)?.howler.id;
  const total = results?.total ?? 0;

  const go = (change: Partial<AlertListParameters>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace });

  return {
    parameters,
    state,
    sort,
    request,
    lastVisit: visitBefore,
    columns,
    widths,
    results,
    changes,
    total,
    activeIndex,
    selection,
    selected: selectedCount(selection, total),
    idAt,
    isSelected: (id: string) => isSelected(selection, id),
    /** Runs another search, or the same once more. */
    search(next: QueryState) {
      setSelection(NOTHING_SELECTED);
      setActiveIndex(undefined);
      setOpenedAt(new Date());
      setGeneration((number) => number + 1);
      go({ ...parametersOf(next), view: undefined });
    },
    sortBy(next: SortOrder) {
      setActiveIndex(undefined);
      go({ sort: writeSort(next) });
    },
    /** Shows what arrived since the search. */
    refresh() {
      setActiveIndex(undefined);
      setOpenedAt(new Date());
      setGeneration((number) => number + 1);
    },
    open(index: number) {
      const id = idAt(index);
      if (id !== undefined) go({ id }, parameters.id !== undefined);
      setActiveIndex(index);
    },
    close: () => go({ id: undefined }),
    /** Moves the active row; an open alert follows it. */
    activate(index: number) {
      if (index < 0 || index >= total) return;
      setActiveIndex(index);
      const id = idAt(index);
      if (parameters.id !== undefined && id !== undefined) go({ id }, true);
    },
    select(index: number, how: 'toggle' | 'range') {
      const id = idAt(index);
      if (how === 'range') setSelection((before) => extended(before, index, activeIndex, idAt));
      else if (id !== undefined) setSelection((before) => toggled(before, id, index));
    },
    selectAll: () => setSelection((before) => (before.all ? NOTHING_SELECTED : ALL_SELECTED)),
    clearSelection: () => setSelection(NOTHING_SELECTED),
    split: (by: AlertListParameters['by']) => go({ by }, true),
    setColumns: (next: readonly string[]) => preferences.setPage(PAGE, { columns: next, widths }),
    setWidth: (column: string, width: number) =>
      preferences.setPage(PAGE, { columns, widths: { ...widths, [column]: width } }),
  };
}

/** Returns the view of the address, once the views are known. */
function useView(id: string | undefined): View | undefined {
  const { data } = useQuery({ ...viewsQuery, enabled: id !== undefined });
  return data?.find(({ view_id }) => view_id === id);
}

export type AlertList = ReturnType<typeof useAlertList>;
