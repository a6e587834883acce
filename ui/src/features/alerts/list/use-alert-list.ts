import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useDisplaySettings } from '../../../design/data/display-settings.ts';
import { isSameValue } from '../../../json/equality.ts';
import { usePreferences } from '../../../shell/preferences.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import type { QueryState } from '../../query/model/query-request.ts';
import { viewsQuery } from '../../query/sources/saved-views.ts';
import { fieldsOf } from './columns/alert-columns.tsx';
import { useListColumns } from './columns/use-list-columns.ts';
import { countedKind, isEvent } from './results/alert-source.ts';
import { type AlertResults, useAlertResults } from './results/use-alert-results.ts';
import { useLiveChanges } from './results/use-live-changes.ts';
import {
  type AlertListParameters,
  parametersOf,
  queryStateOf,
  readSort,
  requestOf,
  type SortOrder,
} from './search/alert-search.ts';
import { indexesOfView, parametersInView, parametersOfView, sortInView, type View } from './search/view-search.ts';
import { useListSelection } from './use-list-selection.ts';

/**
 * Holds the list of alerts together: the search in the address, the rows, what is selected, the active
 * row. Everything that a link should keep is in the address; columns stay with the account.
 */
export function useAlertList() {
  const own = useSearch({ from: '/alerts' });
  const { view, isMissing, problem: viewProblem } = useView(own.view);
  const parameters = view === undefined ? own : parametersOfView(view, own);
  const navigate = useNavigate({ from: '/alerts' });
  const { lastVisit } = usePreferences();
  const { zone } = useDisplaySettings();
  const columns = useListColumns(view);
  const [generation, setGeneration] = useState(0);
  const [chosenIndex, setActiveIndex] = useState<number | undefined>(undefined);
  const [visitBefore] = useState(lastVisit);

  const state = queryStateOf(parameters);
  const sort = readSort(parameters.sort);
  const described = useConfiguration().data?.indexes.hit;
  const context = { lastVisit: visitBefore, zone };
  const request = requestOf(state, { ...context, now: new Date() });
  const indexes = indexesOfView(view);
  const search = { request, state, context, sort, fields: fieldsOf(columns.columns), indexes };
  // Without its view, an address would ask for other alerts than those that it names.
  const isKnown = own.view === undefined || view !== undefined;
  const results = useAlertResults(isKnown ? search : undefined, generation, (field) =>
    countedKind(field, described?.[field]),
  );
  const changes = useLiveChanges(results);

  const total = results?.total ?? 0;
  // An alert that a link or an earlier search opened is where a walk by keys begins.
  const activeIndex = chosenIndex ?? indexOf(results, parameters.id);
  const selecting = useListSelection(results, activeIndex);
  // A walk by keys may be faster than the rows.
  const [awaited, setAwaited] = useState<number | undefined>(undefined);
  const awaitedRow = awaited === undefined ? undefined : shownOf(results?.rowAt(awaited));
  const { id: awaitedId, kind: awaitedKind } = awaitedRow ?? {};
  useEffect(() => {
    if (awaitedId === undefined) return;
    setAwaited(undefined);
    void navigate({
      search: (before) =>
        before.id === undefined ? before : { ...before, id: awaitedId, kind: awaitedKind, tab: undefined },
      replace: true,
    });
  }, [awaitedId, awaitedKind, navigate]);

  const go = (change: Partial<AlertListParameters>, replace = false) => {
    // Another alert is shown from its overview on.
    const tab = 'id' in change ? { tab: undefined } : {};
    void navigate({ search: (before) => ({ ...before, ...tab, ...change }), replace });
  };
  const shownAt = (index: number) => shownOf(results?.rowAt(index));
  const searchAgain = () => {
    setActiveIndex(undefined);
    setGeneration((number) => number + 1);
  };
  const change = (next: Partial<AlertListParameters>) => {
    selecting.clearSelection();
    // Another address runs its search; the same one has to be asked to.
    if (isPartOf(next, own)) return searchAgain();
    setActiveIndex(undefined);
    go(next);
  };

  return {
    ...columns,
    ...selecting,
    parameters,
    view,
    /** True: the address names a view that is not there, or not for this person. */
    isViewMissing: isMissing,
    viewProblem,
    state,
    context,
    indexes,
    sort,
    request,
    lastVisit: visitBefore,
    results,
    changes,
    total,
    activeIndex,
    /** Runs another search, or the same once more. The view stays: what differs from it is in the address. */
    search(next: QueryState) {
      const { q, f, span } = parametersOf(next);
      change({ ...parametersInView(view, { q, span }), f });
    },
    /** Shows all alerts, without a view. */
    clear: () => change({ q: undefined, f: undefined, span: undefined, sort: undefined, view: undefined }),
    /** Keeps the search of the view and leaves its order, columns and rules. */
    leaveView: () => go({ ...parametersOf(state), sort: parameters.sort, view: undefined }),
    sortBy(next: SortOrder) {
      setActiveIndex(undefined);
      go({ sort: sortInView(view, next) });
    },
    /** Shows what arrived since the search. */
    refresh: searchAgain,
    open(index: number) {
      const shown = shownAt(index);
      if (shown !== undefined) go(shown, parameters.id !== undefined);
      setActiveIndex(index);
    },
    /** Shows an alert beside the list, and hides it again. */
    peek(index: number) {
      const shown = shownAt(index);
      if (shown === undefined) return;
      go(parameters.id === shown.id ? CLOSED : shown, parameters.id !== undefined);
    },
    close: () => go(CLOSED),
    openTab: (tab: AlertListParameters['tab']) => go({ tab }, true),
    /** Moves the active row; an open alert follows it. */
    activate(index: number) {
      if (index < 0 || index >= total) return;
      setActiveIndex(index);
      const shown = shownAt(index);
      setAwaited(parameters.id !== undefined && shown === undefined ? index : undefined);
      if (parameters.id !== undefined && shown !== undefined) go(shown, true);
    },
    split: (by: AlertListParameters['by']) => go({ by }, true),
  };
}

/** Returns the place of an alert among the rows in memory. */
function indexOf(results: AlertResults | undefined, id: string | undefined): number | undefined {
  if (results === undefined || id === undefined) return undefined;
  for (const [index, row] of results.rows()) if (row.howler.id === id) return index;
  return undefined;
}

function isPartOf(change: Partial<AlertListParameters>, parameters: AlertListParameters): boolean {
  const before = new Map(Object.entries(parameters));
  return Object.entries(change).every(([name, value]) => isSameValue(value, before.get(name)));
}

/** The parameters of the record beside the list. */
type Shown = Pick<AlertListParameters, 'id' | 'kind'>;

const CLOSED: Shown = { id: undefined, kind: undefined };

function shownOf(row: Parameters<typeof isEvent>[0] | undefined): Shown | undefined {
  return row && { id: row.howler.id, kind: isEvent(row) ? 'event' : undefined };
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
