import { useEffect, useEffectEvent, useRef } from 'react';
import { readRows } from './alert-source.ts';
import type { AlertResults } from './use-alert-results.ts';

/** Marks of one run come together; they are read as one search. */
const GATHER_MS = 100;

/** Returns what reads rows again that changed in a way that only the service knows. */
export function useExpiredRows(results: AlertResults | undefined): (id: string) => void {
  const expired = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const ending = useRef(new AbortController());
  const readAgain = useEffectEvent(async () => {
    timer.current = undefined;
    const shown = new Set([...(results?.rows() ?? [])].map(([, row]) => row.howler.id));
    const ids = [...expired.current].filter((id) => shown.has(id));
    expired.current.clear();
    if (results === undefined) return;
    const items = await readRows(results.search, ids, ending.current.signal);
    const rows = new Map(items.map((row) => [row.howler.id, row]));
    // Where another search runs by now, nothing happens to its rows.
    results.update((row) => rows.get(row.howler.id) ?? row);
  });
  useEffect(() => {
    const controller = new AbortController();
    ending.current = controller;
    return () => {
      controller.abort();
      clearTimeout(timer.current);
    };
  }, []);
  return useEffectEvent((id: string) => {
    expired.current.add(id);
    // A failed search leaves the rows as they were; the next one shows them.
    timer.current ??= setTimeout(() => void readAgain().catch(() => {}), GATHER_MS);
  });
}
