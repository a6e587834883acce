import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import {
  ALL_SELECTED,
  extended,
  isSelected,
  NOTHING_SELECTED,
  type Selection,
  selectedCount,
  toggled,
} from '../../../design/data/table/selection.ts';
import { preferences, usePreferences } from '../../../shell/preferences.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import type { QueryState } from '../../query/model/query-request.ts';
import { fieldsOf } from './columns/alert-columns.tsx';
import { SPECIAL_COLUMNS } from './columns/special-columns.ts';
import { columnsOfView, type ListColumns } from './columns/view-columns.ts';
import { type AlertResults, useAlertResults } from './results/use-alert-results.ts';
import { useLiveChanges } from './results/use-live-changes.ts';
import {
  type AlertListParameters,
  parametersOf,
  queryStateOf,
  readSort,
  requestOf,
  type SortOrder,
  TIME_FIELD,
  writeSort,
} from './search/alert-search.ts';
import { viewsQuery } from './search/completion-sources.ts';
import { parametersOfView, type View } from './search/view-search.ts';

/** The state of the list that stays with the account. */
interface ListPreferences extends Partial<ListColumns> {
  /** Fields in the panel of values, after the usual ones. */
  readonly facets?: readonly string[];
}

const NO_FACETS: readonly string[] = [];

const PAGE = 'alerts';

/**
 * Holds the list of alerts together: the search in the address, the rows, what is selected, the active
 * row. Everything that a link should keep is in the address; columns stay with the account.
 */
export function useAlertList() {
  const own = useSearch({ from: '/alerts' });
  const { view, isMissing, problem: viewProblem } = useView(own.view);
  const parameters = view === undefined ? own : parametersOfView(view, own);
  const navigate = useNavigate({ from: '/alerts' });
  const { pages, lastVisit } = usePreferences();
  const ofView = columnsOfView(view);
  // Changed columns of a view stay with this window until they are saved with it.
  const [changed, setChanged] = useState<(ListColumns & { readonly view: string | undefined }) | undefined>(undefined);
  const ofAccount = (pages?.[PAGE] ?? {}) as ListPreferences;
  const { facets = NO_FACETS } = ofAccount;
  const shown: Partial<ListColumns> =
    ofView === undefined ? ofAccount : changed?.view === own.view ? (changed ?? ofView) : ofView;
  const { columns = SPECIAL_COLUMNS, widths = {} } = shown;
  const keepColumns = (next: ListColumns) => {
    if (ofView === undefined) preferences.setPage(PAGE, { ...ofAccount, ...next });
    else setChanged({ ...next, view: own.view });
  };
  const [generation, setGeneration] = useState(0);
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const [chosenIndex, setActiveIndex] = useState<number | undefined>(undefined);
  // The times of a range are fixed while a search is read: its pages belong together.
  const [openedAt, setOpenedAt] = useState(() => new Date());
  const [visitBefore] = useState(lastVisit);

  const state = queryStateOf(parameters);
  const sort = readSort(parameters.sort);
  const fields = useConfiguration().data?.indexes.hit;
  const request = requestOf(state, { now: openedAt, lastVisit: visitBefore });
  // The usual order is by a date: the search need not wait for the fields, nor run again when they are known.
  const isSortedByDate = sort.field === TIME_FIELD || fields?.[sort.field]?.type === 'date';
  const search = { request, sort, fields: fieldsOf(columns), isSortedByDate };
  // Without its view, an address would ask for other alerts than those that it names.
  const isKnown = own.view === undefined || view !== undefined;
  const results = useAlertResults(isKnown ? search : undefined, generation);
  const changes = useLiveChanges(results);

  const latest = useRef(results);
  latest.current = results;
  const idAt = (index: number) => latest.current?.rowAt(index)?.howler.id;
  const total = results?.total ?? 0;
  // An alert that a link or an earlier search opened is where a walk by keys begins.
  const activeIndex = chosenIndex ?? indexOf(results, parameters.id);
  // A walk by keys may be faster than the rows.
  const [awaited, setAwaited] = useState<number | undefined>(undefined);
  const awaitedId = awaited === undefined ? undefined : results?.rowAt(awaited)?.howler.id;
  useEffect(() => {
    if (awaitedId === undefined) return;
    setAwaited(undefined);
    void navigate({
      search: (before) => (before.id === undefined ? before : { ...before, id: awaitedId, tab: undefined }),
      replace: true,
    });
  }, [awaitedId, navigate]);

  const go = (change: Partial<AlertListParameters>, replace = false) => {
    // Another alert is shown from its overview on.
    const tab = 'id' in change ? { tab: undefined } : {};
    void navigate({ search: (before) => ({ ...before, ...tab, ...change }), replace });
  };

  return {
    parameters,
    view,
    /** True: the address names a view that is not there, or not for this person. */
    isViewMissing: isMissing,
    viewProblem,
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
    /** Shows an alert beside the list, and hides it again. */
    peek(index: number) {
      const id = idAt(index);
      if (id !== undefined) go({ id: parameters.id === id ? undefined : id }, parameters.id !== undefined);
    },
    close: () => go({ id: undefined }),
    openTab: (tab: AlertListParameters['tab']) => go({ tab }, true),
    /** Moves the active row; an open alert follows it. */
    activate(index: number) {
      if (index < 0 || index >= total) return;
      setActiveIndex(index);
      const id = idAt(index);
      setAwaited(parameters.id !== undefined && id === undefined ? index : undefined);
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
    facets,
    setColumns: (next: readonly string[]) => keepColumns({ columns: next, widths }),
    setWidth: (column: string, width: number) => keepColumns({ columns, widths: { ...widths, [column]: width } }),
    setFacets: (next: readonly string[]) => preferences.setPage(PAGE, { ...ofAccount, facets: next }),
  };
}

/** Returns the place of an alert among the rows in memory. */
function indexOf(results: AlertResults | undefined, id: string | undefined): number | undefined {
  if (results === undefined || id === undefined) return undefined;
  for (const [index, row] of results.rows()) if (row.howler.id === id) return index;
  return undefined;
}

interface AskedView {
  readonly view: View | undefined;
  readonly isMissing: boolean;
  /** The failure to read the views. */
  readonly problem: { readonly error: unknown; readonly retry: () => void } | undefined;
}

/** Returns the view of the address, once the views are known. */
function useView(id: string | undefined): AskedView {
  const { data, error, isFetching, refetch } = useQuery({ ...viewsQuery, enabled: id !== undefined });
  const view = id === undefined ? undefined : data?.find(({ view_id }) => view_id === id);
  const isSettled = id !== undefined && view === undefined && !isFetching;
  return {
    view,
    // Views that were read before may lack a new one.
    isMissing: isSettled && error === null,
    problem: isSettled && error !== null ? { error, retry: () => void refetch() } : undefined,
  };
}

export type AlertList = ReturnType<typeof useAlertList>;
