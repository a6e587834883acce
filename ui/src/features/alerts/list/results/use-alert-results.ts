import { useEffect, useEffectEvent, useState } from 'react';
import { type AlertRow, type AlertSearch, alertSource } from './alert-source.ts';
import type { CountedKind } from './deep-place.ts';
import { PAGE_ROWS } from './known-places.ts';
import { ResultWindow } from './result-window.ts';

/** The rows of one search, as they are now. A new object after each change. */
export interface AlertResults {
  readonly search: AlertSearch;
  /** Another number for each time that the same search was asked for. */
  readonly generation: number;
  /** Milliseconds of `performance.now()` at which the search ran. */
  readonly openedAt: number;
  /** Rows of the list; undefined before the first answer. */
  readonly total: number | undefined;
  /** Matches when the search ran; the list is shorter where some left before they were read. */
  readonly found: number | undefined;
  readonly rowAt: (index: number) => AlertRow | undefined;
  /** Returns the identifier of a row that was read, also of one that is no longer in memory. */
  readonly idAt: (index: number) => string | undefined;
  /** Reads the identifiers of all rows between two indices. */
  readonly idsBetween: (from: number, to: number) => Promise<readonly string[]>;
  readonly problem: unknown;
  /** True: rows in sight lie where their order cannot be read. */
  readonly isUnreachable: boolean;
  readonly show: (first: number, last: number) => void;
  readonly retry: () => void;
  /** Replaces rows in place. Nothing happens once another search runs. */
  readonly update: (change: (row: AlertRow) => AlertRow) => void;
  /** Returns the rows in memory. */
  readonly rows: () => Iterable<readonly [index: number, row: AlertRow]>;
  /** Returns the rows in sight. */
  readonly visible: () => readonly AlertRow[];
}

/**
 * Reads the rows of a search. Those of the search before stay until the first rows of the new one, or
 * its refusal, are there.
 * @param search undefined: nothing is read, and no rows are left
 * @param generation another number reads the same search again
 * @param kindOf returns how a field can be counted
 */
export function useAlertResults(
  search: AlertSearch | undefined,
  generation: number,
  kindOf: (field: string) => CountedKind,
): AlertResults | undefined {
  const [results, setResults] = useState<AlertResults | undefined>(undefined);
  const presentKind = useEffectEvent(kindOf);
  const key = JSON.stringify([search ?? null, generation]);
  useEffect(() => {
    const [asked, generation] = JSON.parse(key) as [AlertSearch | null, number];
    if (asked === null) return setResults(undefined);
    const openedAt = performance.now();
    let frame = 0;
    const window = new ResultWindow(
      alertSource(asked, (field) => presentKind(field)),
      () => {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(publish);
      },
    );
    const publish = () =>
      setResults({
        search: asked,
        generation,
        openedAt,
        total: window.total,
        found: window.found,
        problem: window.problem,
        isUnreachable: window.isUnreachable,
        rowAt: (index) => window.rowAt(index),
        idAt: (index) => window.idAt(index),
        idsBetween: (from, to) => window.idsBetween(from, to),
        show: (first, last) => window.show(first, last),
        retry: () => window.retry(),
        update: (change) => window.update(change),
        rows: () => window.rows(),
        visible: () => window.visibleRows(),
      });
    window.show(0, PAGE_ROWS - 1);
    return () => {
      window.close();
      cancelAnimationFrame(frame);
    };
  }, [key]);
  return search === undefined ? undefined : results;
}
