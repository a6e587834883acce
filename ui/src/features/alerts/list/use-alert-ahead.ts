import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { alertQuery } from '../alert/alert-query.ts';
import { isEvent } from './results/alert-source.ts';
import type { AlertList } from './use-alert-list.ts';

/**
 * Reads the alert after the open one ahead, in the direction of the walk.
 * It waits until the open one is read. A walk by keys then shows each alert at once, for the same requests. A change
 * meanwhile arrives as a live frame.
 * @param id the open alert
 */
export function useAlertAhead({ activeIndex, results }: AlertList, id: string): void {
  const queries = useQueryClient();
  const { data } = useQuery({ ...alertQuery(id), enabled: false });
  const [walk, setWalk] = useState({ at: activeIndex, step: 1 });
  if (activeIndex !== undefined && activeIndex !== walk.at) {
    setWalk({ at: activeIndex, step: activeIndex < (walk.at ?? 0) ? -1 : 1 });
  }
  const row = activeIndex === undefined ? undefined : results?.rowAt(activeIndex + walk.step);
  const ahead = row === undefined || isEvent(row) ? undefined : row.howler.id;
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead && ahead !== undefined) void queries.prefetchQuery(alertQuery(ahead));
  }, [queries, isRead, ahead]);
}
