import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '../../../api/live.ts';
import type { Alert } from '../triage/alert.ts';
import { alertCopies, alertKey } from '../triage/requests/alert-copies.ts';
import { alertQuery } from './alert-query.ts';

/** Reads an alert and follows its changes in other windows. */
export function useAlert(id: string) {
  const queries = useQueryClient();
  useEffect(() => {
    const stopFrames = live.on('hits', ({ hit, version }) => {
      if (idOf(hit) !== id) return;
      alertCopies(queries).replace({ alert: hit as Alert, version: typeof version === 'string' ? version : undefined });
    });
    // Frames of the time without a connection are lost.
    const stopReconnects = live.on('reconnected', () => void queries.invalidateQueries({ queryKey: alertKey(id) }));
    return () => {
      stopFrames();
      stopReconnects();
    };
  }, [id, queries]);
  return useQuery(alertQuery(id));
}

function idOf(hit: unknown): unknown {
  const howler = typeof hit === 'object' && hit !== null && 'howler' in hit ? hit.howler : undefined;
  return typeof howler === 'object' && howler !== null && 'id' in howler ? howler.id : undefined;
}
