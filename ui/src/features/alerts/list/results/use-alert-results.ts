import { useEffect, useState } from 'react';
import { type AlertRow, type AlertSearch, alertSource } from './alert-source.ts';
import { PAGE_ROWS, ResultWindow } from './result-window.ts';

/** The rows of one search, as they are now. A new object after each change. */
export interface AlertResults {
  readonly search: AlertSearch;
  /** Undefined before the first answer. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => AlertRow | undefined;
  readonly problem: unknown;
  readonly show: (first: number, last: number) => void;
  readonly retry: () => void;
  /** Replaces rows in place. */
  readonly update: (change: (row: AlertRow) => AlertRow) => void;
  readonly rows: () => Iterable<readonly [index: number, row: AlertRow]>;
}

/**
 * Reads the rows of a search. Those of the search before stay until the first rows of the new one, or
 * its refusal, are there.
 * @param search undefined: nothing is read, and no rows are left
 * @param generation another number reads the same search again
 */
export function useAlertResults(search: AlertSearch | undefined, generation: number): AlertResults | undefined {
  const [results, setResults] = useState<AlertResults | undefined>(undefined);
  const key = JSON.stringify([search ?? null, generation]);
  useEffect(() => {
    const [asked] = JSON.parse(key) as [AlertSearch | null];
    if (asked === null) return setResults(undefined);
    let frame = 0;
    const window = new ResultWindow(alertSource(asked), () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(publish);
    });
    const publish = () =>
      setResults({
        search: asked,
        total: window.total,
        problem: window.problem,
        rowAt: (index) => window.rowAt(index),
        show: (first, last) => window.show(first, last),
        retry: () => window.retry(),
        update: (change) => window.update(change),
        rows: () => window.rows(),
      });
    window.show(0, PAGE_ROWS - 1);
    return () => {
      cancelAnimationFrame(frame);
      window.close();
    };
  }, [key]);
  return search === undefined ? undefined : results;
}
