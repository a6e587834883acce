import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useDisplaySettings } from '../../../design/data/display-settings.ts';
import { isSameValue } from '../../../json/equality.ts';
import { usePreferences } from '../../../shell/preferences.ts';
import { useConfiguration } from '../../../shell/session-context.tsx';
import type { QueryState } from '../../query/model/query-request.ts';
import { viewsQuery } from '../../query/sources/saved-views.ts';
import { fieldsOf } from './columns/alert-columns.tsx';
import { useListColumns } from './columns/use-list-columns.ts';
import { countedKind } from './results/alert-source.ts';
import { useAlertResults } from './results/use-alert-results.ts';
import { useLiveChanges } from './results/use-live-changes.ts';
import {
  type AlertListParameters,
  parametersOf,
  queryStateOf,
  readSort,
  requestOf,
  type SortOrder,
  searchPart,
} from './search/alert-search.ts';
import { indexesOfView, parametersInView, parametersOfView, sortInView, type View } from './search/view-search.ts';

/** Is told that other rows come; keep the functions. */
export interface SearchListener {
  /** Another search, another order, or the same search once more. */
  readonly onRows: () => void;
  /** Another search, or the same one once more. */
  readonly onSearch: () => void;
}

/**
 * Holds the search of the list and its rows.
 * What a link should keep is in the address; columns stay with the account. The object stays the same
 * while one walks from alert to alert: the parts of the page that show the search are not drawn again.
 */
export function useListSearch({ onRows, onSearch }: SearchListener) {
  const own = useSearch({ from: '/alerts', select: searchPart, structuralSharing: true });
  const { view, isMissing, problem: viewProblem } = useView(own.view);
  const navigate = useNavigate({ from: '/alerts' });
  const { lastVisit } = usePreferences();
  const { zone } = useDisplaySettings();
  const columns = useListColumns(view);
  const [generation, setGeneration] = useState(0);
  const [visitBefore] = useState(lastVisit);

  // The compiler keeps no values that a hook of results is given.
  const { parameters, asked } = useMemo(() => {
    const parameters = view === undefined ? own : parametersOfView(view, own);
    const state = queryStateOf(parameters);
    const context = { lastVisit: visitBefore, zone };
    const request = requestOf(state, { ...context, now: new Date() });
    const asked = { request, state, context, sort: readSort(parameters.sort), indexes: indexesOfView(view) };
    return { parameters, asked };
  }, [own, view, visitBefore, zone]);
  const described = useConfiguration().data?.indexes.hit;
  // Without its view, an address would ask for other alerts than those that it names.
  const isKnown = own.view === undefined || view !== undefined;
  const search = isKnown ? { ...asked, fields: fieldsOf(columns.columns) } : undefined;
  const results = useAlertResults(search, generation, (field) => countedKind(field, described?.[field]));
  const changes = useLiveChanges(results);

  const go = (change: Partial<AlertListParameters>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace });
  const searchAgain = () => {
    onRows();
    setGeneration((number) => number + 1);
  };
  const change = (next: Partial<AlertListParameters>) => {
    onSearch();
    // Another address runs its search; the same one has to be asked to.
    if (isPartOf(next, own)) return searchAgain();
    onRows();
    go(next);
  };

  return {
    ...columns,
    ...asked,
    parameters,
    view,
    /** True: the address names a view that is not there, or not for this person. */
    isViewMissing: isMissing,
    viewProblem,
    lastVisit: visitBefore,
    results,
    changes,
    /** Runs another search, or the same once more. The view stays: what differs from it is in the address. */
    search(next: QueryState) {
      const { q, f, span } = parametersOf(next);
      change({ ...parametersInView(view, { q, span }), f });
    },
    /** Shows all alerts, without a view. */
    clear: () => change({ q: undefined, f: undefined, span: undefined, sort: undefined, view: undefined }),
    /** Keeps the search of the view and leaves its order, columns and rules. */
    leaveView: () => go({ ...parametersOf(asked.state), sort: parameters.sort, view: undefined }),
    sortBy(next: SortOrder) {
      onRows();
      go({ sort: sortInView(view, next) });
    },
    /** Shows what arrived since the search. */
    refresh: searchAgain,
    split: (by: AlertListParameters['by']) => go({ by }, true),
  };
}

export type ListSearch = ReturnType<typeof useListSearch>;

function isPartOf(change: Partial<AlertListParameters>, parameters: AlertListParameters): boolean {
  const before = new Map(Object.entries(parameters));
  return Object.entries(change).every(([name, value]) => isSameValue(value, before.get(name)));
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
