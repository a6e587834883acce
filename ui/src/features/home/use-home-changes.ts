import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '../../api/live.ts';
import { onLiveChanges } from '../../api/live-changes.ts';
import { useCaseListChanges } from '../cases/list/use-case-list-changes.ts';
import { HOME_KEY } from './home-data.ts';

/** Milliseconds from a change to the reading of the cards. */
const PAUSE = 3_000;
const SHORTEST_INTERVAL = 15;

/**
 * Reads the cards again after changes of alerts and cases, and at an interval, because new alerts have
 * no live event. A hidden window waits.
 * @param seconds the interval that the account asks for
 */
export function useHomeChanges(seconds = SHORTEST_INTERVAL): void {
  const queries = useQueryClient();
  const interval = Math.max(SHORTEST_INTERVAL, seconds) * 1_000;
  useCaseListChanges();
  useEffect(() => {
    const run = () => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries({ queryKey: HOME_KEY });
    };
    const stop = onLiveChanges(live, { types: ['hits'], pause: PAUSE, run });
    const timer = setInterval(run, interval);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [queries, interval]);
}
