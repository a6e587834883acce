import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { NOTHING_SELECTED, type Selection } from '../../../design/data/table/selection.ts';
import { isEvent } from './results/alert-source.ts';
import type { AlertResults } from './results/use-alert-results.ts';
import { type AlertListParameters, openPart } from './search/alert-search.ts';
import { useListSearch } from './use-list-search.ts';
import { useListSelection } from './use-list-selection.ts';

/**
 * Holds the list of alerts together: its search, what is selected, the active row, and the open alert,
 * which is in the address.
 */
export function useAlertList() {
  const opened = useSearch({ from: '/alerts', select: openPart, structuralSharing: true });
  const navigate = useNavigate({ from: '/alerts' });
  const [chosenIndex, setActiveIndex] = useState<number | undefined>(undefined);
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED);
  const search = useListSearch({
    onRows: () => setActiveIndex(undefined),
    onSearch: () => setSelection(NOTHING_SELECTED),
  });
  const { results } = search;
  const total = results?.total ?? 0;
  // An alert that a link or an earlier search opened is where a walk by keys begins.
  const activeIndex = chosenIndex ?? indexOf(results, opened.id);
  const selecting = useListSelection(results, activeIndex, [selection, setSelection]);
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

  // Another alert is shown from its overview on.
  const show = (shown: Shown, replace: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...shown, tab: undefined }), replace });
  const shownAt = (index: number) => shownOf(results?.rowAt(index));

  return {
    ...search,
    ...selecting,
    /** The search alone, for what does not follow the walk. */
    listSearch: search,
    /** The open alert and its tab. */
    opened,
    total,
    activeIndex,
    open(index: number) {
      const shown = shownAt(index);
      if (shown !== undefined) show(shown, opened.id !== undefined);
      setActiveIndex(index);
    },
    /** Shows an alert beside the list, and hides it again. */
    peek(index: number) {
      const shown = shownAt(index);
      if (shown === undefined) return;
      show(opened.id === shown.id ? CLOSED : shown, opened.id !== undefined);
    },
    close: () => show(CLOSED, false),
    openTab: (tab: AlertListParameters['tab']) =>
      void navigate({ search: (before) => ({ ...before, tab }), replace: true }),
    /** Moves the active row; an open alert follows it. */
    activate(index: number) {
      if (index < 0 || index >= total) return;
      setActiveIndex(index);
      const shown = shownAt(index);
      setAwaited(opened.id !== undefined && shown === undefined ? index : undefined);
      if (opened.id !== undefined && shown !== undefined) show(shown, true);
    },
  };
}

export type AlertList = ReturnType<typeof useAlertList>;

/** Returns the place of an alert among the rows in memory. */
function indexOf(results: AlertResults | undefined, id: string | undefined): number | undefined {
  if (results === undefined || id === undefined) return undefined;
  for (const [index, row] of results.rows()) if (row.howler.id === id) return index;
  return undefined;
}

/** The parameters of the record beside the list. */
type Shown = Pick<AlertListParameters, 'id' | 'kind'>;

const CLOSED: Shown = { id: undefined, kind: undefined };

function shownOf(row: Parameters<typeof isEvent>[0] | undefined): Shown | undefined {
  return row && { id: row.howler.id, kind: isEvent(row) ? 'event' : undefined };
}
