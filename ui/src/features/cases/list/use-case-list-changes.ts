import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '../../../api/live.ts';
import { CASE_LIST_KEY } from '../detail/use-case.ts';

/** Rules may change cases many times a second; the list is read once for all of them. */
const PAUSE = 1_000;

/** Reads the list again after cases changed in other windows. */
export function useCaseListChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queries.invalidateQueries({ queryKey: CASE_LIST_KEY });
      }, PAUSE);
    };
    const stopFrames = live.on('cases', changed);
    const stopReconnects = live.on('reconnected', changed);
    return () => {
      clearTimeout(timer);
      stopFrames();
      stopReconnects();
    };
  }, [queries]);
}
